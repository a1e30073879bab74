// How many bytes the servers' compact lists take, which decides when a value outgrows its small form (listpack.c).
#pragma once

#include <cstddef>
#include <string_view>

namespace cohsim::valkey {

inline constexpr std::size_t listpack_frame_bytes = 7;  ///< header and end

/// What a listpack takes for an item: its header and data, and its length behind it.
[[nodiscard]] std::size_t listpack_bytes(std::string_view item);

}  // namespace cohsim::valkey
