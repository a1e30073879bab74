// Where one reply of a byte stream ends.
#pragma once

#include <cstddef>
#include <string_view>

namespace cohsim::fidelity {

/// How many bytes the first RESP2 or RESP3 frame of `bytes` takes: 0 while it is not whole, npos where it is none.
[[nodiscard]] std::size_t frame_length(std::string_view bytes);

}  // namespace cohsim::fidelity
