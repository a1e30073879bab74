#include "lua/function_library.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>

#include "lua/engine.h"
#include "lua/script_state.h"
#include "lua/split_arguments.h"

namespace cohsim::lua {

namespace {

CompileError refused(std::string_view why) { return {fmt::format("ERR {}", why)}; }

constexpr std::string_view line_end_or_nul("\n\0", 2);
constexpr std::string_view bad_name =
    "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long";

}  // namespace

bool is_library_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char letter) {
    const char small = static_cast<char>(letter | 0x20);
    return (small >= 'a' && small <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
  });
}

std::variant<LibraryHead, CompileError> read_library_head(std::string_view text) {
  if (text.substr(0, 2) != "#!") return refused("Missing library metadata");
  const std::size_t end = text.find_first_of(line_end_or_nul);
  if (end == std::string_view::npos || text[end] == '\0') return refused("Invalid library metadata");
  const auto parts = split_arguments(text.substr(0, end));
  if (!parts || parts->empty()) return refused("Invalid library metadata");
  LibraryHead head;
  head.engine = parts->front().substr(2);
  head.body = text.substr(end);
  bool named = false;
  for (const std::string& part : std::span(*parts).subspan(1)) {
    if (strncasecmp(part.c_str(), "name=", 5) != 0) {
      return refused(fmt::format("Invalid metadata value given: {}", one_line(part)));
    }
    if (named) return refused("Invalid metadata value, name argument was given multiple times");
    named = true;
    head.name = part.substr(5);
  }
  if (!named) return refused("Library name was not given");
  if (!is_library_name(head.name)) return refused(bad_name);
  return head;
}

FunctionLibrary::FunctionLibrary(std::shared_ptr<ScriptState> state, std::vector<LibraryFunction> functions)
    : state_(std::move(state)), functions_(std::move(functions)) {}

FunctionLibrary::~FunctionLibrary() { state_->release(functions_); }

const LibraryFunction* FunctionLibrary::find(std::string_view name) const {
  for (const LibraryFunction& function : functions_) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

}  // namespace cohsim::lua
