// How a worker tells its parent what came out: numbers little endian, strings with their length. Both ends are the same
// program, so there is no version; a frame that makes no sense is an internal error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "properties/outcome.h"

namespace cohsim {

/// A whole frame, its length first.
[[nodiscard]] std::string encode_frame(const RunOutcome& outcome);

/// Takes one frame off the front of `buffer`; nullopt when it is not all there. Throws InternalError on nonsense.
[[nodiscard]] std::optional<RunOutcome> take_frame(std::string& buffer);

}  // namespace cohsim
