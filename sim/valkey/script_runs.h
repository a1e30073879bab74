// What the server asks about a script before it runs.
#pragma once

#include <span>
#include <string_view>

namespace cohsim::valkey {

class ServerState;
struct Command;

/// Whether a command runs a script or a function whose flags say that it may write and grow: it is refused as a write
/// is while memory is out. The arity must fit. A script without flags is refused command by command instead.
[[nodiscard]] bool needs_memory(ServerState& server, const Command& command, std::span<const std::string_view> args);

}  // namespace cohsim::valkey
