#include "lua/shebang.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
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

std::optional<std::string> read_flags(std::string_view list, ScriptFlags& flags) {
  for (const std::string_view flag : split(list, ",", true)) {
    if (!set_flag(flags, flag)) return fmt::format("ERR Unexpected flag in script shebang: {}", flag);
  }
  return std::nullopt;
}

}  // namespace

bool set_flag(ScriptFlags& flags, std::string_view name) {
  static constexpr std::pair<std::string_view, bool ScriptFlags::*> known[] = {
      {"no-writes", &ScriptFlags::no_writes},
      {"allow-oom", &ScriptFlags::allow_oom},
      {"allow-stale", &ScriptFlags::allow_stale},
      {"no-cluster", &ScriptFlags::no_cluster},
      {"allow-cross-slot-keys", &ScriptFlags::allow_cross_slot_keys}};
  for (const auto& [word, flag] : known) {
    if (word != name) continue;
    flags.*flag = true;
    return true;
  }
  return false;
}

std::optional<std::string> read_shebang(std::string_view text, std::string& body, ScriptFlags& flags) {
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
    if (auto refused = read_flags(parts[part].substr(6), flags)) return refused;
  }
  body = text.substr(end);
  return std::nullopt;
}

}  // namespace cohsim::lua
