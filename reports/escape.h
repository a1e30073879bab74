// How bytes, times and words are written, one function a language.
#pragma once

#include <string>
#include <string_view>

#include "sim/time.h"

namespace cohsim {

/// Bytes for people: bare where they are one printable word, else in quotes with \", \\ and \xNN. A frame (a version and
/// a value) becomes VERSION|value. Never empty.
[[nodiscard]] std::string show_bytes(std::string_view bytes);

/// Seconds and microseconds: "12.000345".
[[nodiscard]] std::string show_time(TimeUs at);

/// Text and attribute values of XML 1.0; what XML cannot hold becomes \xNN. Bytes that are no UTF-8 too.
[[nodiscard]] std::string xml_escape(std::string_view text);

/// A cell or a line of Markdown: no markup, no line breaks.
[[nodiscard]] std::string markdown_escape(std::string_view text);

/// A word for a POSIX shell, quoted only where it must be.
[[nodiscard]] std::string shell_word(std::string_view word);

/// One line for a terminal or a log: control bytes and bytes that are no UTF-8 become \xNN.
[[nodiscard]] std::string one_line(std::string_view text);

/// Length of the UTF-8 sequence at the front; 0 when there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

}  // namespace cohsim
