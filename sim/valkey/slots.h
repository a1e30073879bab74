// Hash slots of cluster mode (cluster.c, crc16.c).
#pragma once

#include <span>
#include <string_view>

#include "sim/valkey/command.h"

namespace cohsim::valkey {

inline constexpr int slot_count = 16384;

/// The slot of a key: of what stands between its first braces where that is not empty, else of all of it.
[[nodiscard]] int key_slot(std::string_view key);
/// Of what lies in more than one slot.
inline constexpr int many_slots = -2;
/// Of what has no keys.
inline constexpr int no_slot = -1;
/// The slot of a command's keys.
[[nodiscard]] int command_slot(const Command& command, std::span<const std::string_view> args);
/// Whether a command, or the transaction that it would run, has keys in more than one slot.
[[nodiscard]] bool crosses_slots(const Client& client, const Command& command, std::span<const std::string_view> args);

}  // namespace cohsim::valkey
