#include "lua/shebang.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lua/engine.h"
#include "lua/split_arguments.h"

namespace cohsim::lua {

namespace {

/// Between commas, empty ones too; nothing at all for an empty list.
std::optional<std::string> read_flags(std::string_view list, ScriptFlags& flags) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view flag = list.substr(0, comma);
    // An empty one is no flag, and one stands behind a last comma, too.
    const bool last_is_empty = comma + 1 == list.size();
    if (!set_flag(flags, flag)) return fmt::format("ERR Unexpected flag in script shebang: {}", flag);
    if (last_is_empty) return "ERR Unexpected flag in script shebang: ";
    list.remove_prefix(std::min(comma + 1, list.size()));
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
  const std::size_t end = text.find_first_of(std::string_view("\n\0", 2));
  if (end == std::string_view::npos || text[end] == '\0') return "ERR Invalid script shebang";
  const auto parts = split_arguments(text.substr(0, end));
  if (!parts || parts->empty()) return "ERR Invalid engine in script shebang";
  if (parts->front() != "#!lua") {
    return one_line(fmt::format("ERR Unexpected engine in script shebang: {}", parts->front()));
  }
  for (const std::string& part : std::span(*parts).subspan(1)) {
    const std::string_view option = part;
    if (option.substr(0, 6) != "flags=") return one_line(fmt::format("ERR Unknown lua shebang option: {}", option));
    if (auto refused = read_flags(option.substr(6), flags)) return one_line(*refused);
  }
  body = text.substr(end);
  return std::nullopt;
}

}  // namespace cohsim::lua
