#include "lua/shebang.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace cohsim::lua {

namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separators, bool keep_empty) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (keep_empty || end != 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<std::string> read_flags(std::string_view list, bool& no_writes) {
  static constexpr std::array known = {std::string_view("no-writes"), std::string_view("allow-oom"),
                                       std::string_view("allow-stale"), std::string_view("no-cluster"),
                                       std::string_view("allow-cross-slot-keys")};
  for (const std::string_view flag : split(list, ",", true)) {
    if (std::find(known.begin(), known.end(), flag) == known.end()) {
      return fmt::format("ERR Unexpected flag in script shebang: {}", flag);
    }
    if (flag == "no-writes") no_writes = true;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> read_shebang(std::string_view text, std::string& body, bool& no_writes) {
  if (text.substr(0, 2) != "#!") {
    body = text;
    return std::nullopt;
  }
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return "ERR Invalid script shebang";
  const std::vector<std::string_view> parts = split(text.substr(0, end), " \t\r", false);
  if (parts[0] != "#!lua") return fmt::format("ERR Unexpected engine in script shebang: {}", parts[0]);
  for (std::size_t part = 1; part < parts.size(); ++part) {
    if (parts[part].substr(0, 6) != "flags=") return fmt::format("ERR Unknown lua shebang option: {}", parts[part]);
    if (auto refused = read_flags(parts[part].substr(6), no_writes)) return refused;
  }
  body = text.substr(end);
  return std::nullopt;
}

}  // namespace cohsim::lua
