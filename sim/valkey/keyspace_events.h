// Which keyspace events a change of a row raises (notify.c and the callers of notifyKeyspaceEvent).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/valkey/row.h"

namespace cohsim::valkey {

struct KeyspaceEvent {
  int kind = 0;  ///< EventKind
  std::string name;
};

/// False where whole databases change, which no event tells and no single invalidation.
[[nodiscard]] bool is_told(std::string_view cause);
/// Events of one change in order, but "new". `cause` as the keyspace has it; `args` are those of the command that runs.
[[nodiscard]] std::vector<KeyspaceEvent> keyspace_events(std::string_view cause, bool existed, const Row* after,
                                                         std::span<const std::string_view> args);

}  // namespace cohsim::valkey
