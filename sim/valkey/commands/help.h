// HELP of the containers whose other subcommands are few or none here.
#pragma once

#include "sim/valkey/command.h"

namespace cohsim::valkey {

/// The lines of the container that `call.command` is the HELP of.
void run_container_help(CommandCall& call);

}  // namespace cohsim::valkey
