// SINTER, SUNION, SDIFF, their STORE forms and SINTERCARD, for the table of the commands on sets.
#pragma once

#include "sim/valkey/command.h"

namespace cohsim::valkey {

void run_sinter(CommandCall& call);
void run_sunion(CommandCall& call);
void run_sdiff(CommandCall& call);
void run_store_of_sets(CommandCall& call);  ///< SINTERSTORE, SUNIONSTORE, SDIFFSTORE
void run_sintercard(CommandCall& call);

}  // namespace cohsim::valkey
