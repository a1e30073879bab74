#include "reports/schedule_words.h"

#include <fmt/format.h>

#include <sstream>

#include "reports/escape.h"

namespace cohsim {

std::string_view version_of(std::string_view frame) { return frame.substr(0, version_bytes); }

std::string quoted(std::string_view value) { return fmt::format("\"{}\"", one_line(value)); }

std::string payload_text(std::string_view bytes) {
  return bytes.size() == message_bytes ? std::string(bytes.substr(version_bytes + 1)) : quoted(bytes);
}
std::string_view payload_name(std::string_view bytes) {
  return bytes.size() == message_bytes ? bytes.substr(0, version_bytes) : std::string_view();
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string shift_text(DurationUs us) {
  const DurationUs size = us < 0 ? -us : us;
  return (us < 0 ? "-" : "+") +
         (size % us_per_s == 0 ? fmt::format("{} s", size / us_per_s) : fmt::format("{} ms", size / us_per_ms));
}

std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::istringstream words(text);
  std::string word, line, out;
  while (words >> word) {
    if (!line.empty() && line.size() + 1 + word.size() + indent.size() > width) {
      out += indent + line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? out : out + indent + line + '\n';
}

}  // namespace cohsim
