// The subcommands of CLIENT that stand in files of their own.
#pragma once

#include "sim/valkey/command.h"

namespace cohsim::valkey {

void run_client_caching(CommandCall& call);
void run_client_getredir(CommandCall& call);
void run_client_info(CommandCall& call);
void run_client_kill(CommandCall& call);
void run_client_list(CommandCall& call);
void run_client_tracking(CommandCall& call);
void run_client_trackinginfo(CommandCall& call);

}  // namespace cohsim::valkey
