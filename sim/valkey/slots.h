// Hash slots of cluster mode (cluster.c, crc16.c).
#pragma once

#include <span>
#include <string_view>

#include "sim/valkey/command.h"

namespace cohsim::valkey {

inline constexpr int slot_count = 16384;

/// The slot of a key: of what stands between its first braces where that is not empty, else of all of it.
[[nodiscard]] int key_slot(std::string_view key);
/// Whether the keys of a command lie in more than one slot.
[[nodiscard]] bool crosses_slots(const Command& command, std::span<const std::string_view> args);

}  // namespace cohsim::valkey
