// How the lines of a schedule name bytes and times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/units.h"

namespace cohsim {

inline constexpr std::size_t version_bytes = 14;
inline constexpr std::size_t message_bytes = 29;  // "name:version"

/// "v1" of "v1|value"; the whole where it is shorter than a version.
[[nodiscard]] std::string_view version_of(std::string_view frame);
[[nodiscard]] std::string quoted(std::string_view value);
/// "v1" of the message "name:v1"; a job or a message that is none is shown as it is.
[[nodiscard]] std::string payload_text(std::string_view bytes);
/// "name" of the message "name:v1"; empty of what is no message.
[[nodiscard]] std::string_view payload_name(std::string_view bytes);
/// "1 file", "2 files".
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view what);
/// With its sign: "+5 s", "-20 ms".
[[nodiscard]] std::string shift_text(DurationUs us);
/// Words of `text` in lines of `width` at most, each behind `indent`; ends with a line break.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width, const std::string& indent);

}  // namespace cohsim
