#include "fidelity/frames.h"

#include <charconv>
#include <cstdint>

namespace cohsim::fidelity {

namespace {

constexpr std::size_t none = std::string_view::npos;

/// The number of a line such as "$12"; false where it is none.
bool read_count(std::string_view line, std::int64_t& count) {
  const auto read = std::from_chars(line.data() + 1, line.data() + line.size(), count);
  return read.ec == std::errc() && read.ptr == line.data() + line.size() && count >= -1 && count <= (1LL << 40);
}

}  // namespace

std::size_t frame_length(std::string_view bytes) {
  std::uint64_t missing = 1;  // items still to come, of all aggregates that are open
  std::size_t place = 0;
  while (missing > 0) {
    const std::size_t end = bytes.find("\r\n", place);
    if (end == std::string_view::npos) return 0;
    const std::string_view line = bytes.substr(place, end - place);
    place = end + 2;
    --missing;
    if (line.empty()) return none;
    std::int64_t count = 0;
    switch (line.front()) {
      case '+': case '-': case ':': case '_': case ',': case '#': case '(':
        break;
      case '$': case '=': case '!':
        if (!read_count(line, count)) return none;
        if (count < 0) break;
        if (bytes.size() - place < static_cast<std::uint64_t>(count) + 2) return 0;
        place += static_cast<std::size_t>(count) + 2;
        break;
      case '*': case '~': case '>': case '%': case '|':
        if (!read_count(line, count)) return none;
        if (count < 0) break;
        missing += static_cast<std::uint64_t>(line.front() == '%' || line.front() == '|' ? 2 * count : count);
        if (line.front() == '|') ++missing;
        break;
      default:
        return none;
    }
  }
  return place;
}

}  // namespace cohsim::fidelity
