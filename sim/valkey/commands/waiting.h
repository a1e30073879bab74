// How commands that may block read their timeout and stop their client (blocked.c).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/valkey/command.h"

namespace cohsim::valkey {

/// What a timeout in seconds says: the deadline in Unix microseconds, 0 for ever. Of a command tried again, the one it
/// had. False with the error written.
bool read_timeout(CommandCall& call, std::string_view text, std::int64_t& deadline_us);

/// The keys to look at: all, or, where a command of an older server is tried again, only the one that came.
[[nodiscard]] std::span<const std::string_view> keys_to_try(const CommandCall& call,
                                                            std::span<const std::string_view> keys,
                                                            std::string_view& storage);

/// Stops the client until a key gets a value of this type ("list", "zset"). Where the call may not block, answers
/// the null array instead.
void wait_for(CommandCall& call, std::span<const std::string_view> keys, std::string_view type,
              std::int64_t deadline_us);

}  // namespace cohsim::valkey
