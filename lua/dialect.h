// Which server's Lua a script meets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cohsim::lua {

/// `valkey8`: Valkey 8.0.1. `redis7`: redis-server 7.0.15 as Debian builds it.
enum class Dialect : std::uint8_t { valkey8, redis7 };
inline constexpr std::size_t dialect_count = 2;

}  // namespace cohsim::lua
