// The command of introspection that stands in a file of its own.
#pragma once

#include "sim/valkey/command.h"

namespace cohsim::valkey {

void run_info(CommandCall& call);

}  // namespace cohsim::valkey
