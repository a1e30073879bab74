#include "lua/script_source.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "lua/sha1.h"
#include "lua/shebang.h"

namespace cohsim::lua {

namespace {

/// Reads a regular file of at most `script_bytes_max`; answers the complaint where it cannot.
std::optional<std::string> read_file(const std::filesystem::path& path, std::string& bytes) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return "no such file";
  if (!std::filesystem::is_regular_file(status)) return "not a regular file";
  std::ifstream file(path, std::ios::binary);
  if (!file) return "cannot be read";
  bytes.resize(script_bytes_max + 1);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (file.bad()) return "cannot be read";
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  if (bytes.size() > script_bytes_max) return "larger than 1 MiB, which no script should be";
  return std::nullopt;
}

}  // namespace

std::string LoadError::text() const {
  return line == 0 ? fmt::format("{}: {}", path, message) : fmt::format("{}:{}: {}", path, line, message);
}

std::variant<ScriptSource, LoadError> load_script(const std::string& path, Interpreter& interpreter) {
  const std::filesystem::path file(path);
  if (file.extension() == ".ex" || file.extension() == ".exs") {
    return LoadError{path, 0, "Elixir source is not supported yet; give the script's body as a .lua file"};
  }
  if (file.extension() != ".lua") return LoadError{path, 0, "not a .lua file"};
  ScriptSource source{file.stem().string(), path, "", ""};
  if (auto complaint = read_file(file, source.text)) return LoadError{path, 0, *complaint};
  std::string body;
  ScriptFlags flags;
  if (auto refused = read_shebang(source.text, body, flags)) {
    return LoadError{path, 1, refused->substr(refused->find(' ') + 1)};
  }
  const auto checked = interpreter.check(body);
  if (const auto* const error = std::get_if<SyntaxError>(&checked)) return LoadError{path, error->line, error->message};
  source.sha1 = sha1_hex(source.text);
  return source;
}

const ScriptSource* bundled_script(std::string_view name) {
  static const std::map<std::string, ScriptSource, std::less<>> sources = [] {
    std::map<std::string, ScriptSource, std::less<>> made;
    for (const auto& [known, text] : bundled_texts()) {
      made.emplace(known, ScriptSource{std::string(known), "", std::string(text), sha1_hex(text)});
    }
    return made;
  }();
  const auto found = sources.find(name);
  return found == sources.end() ? nullptr : &found->second;
}

}  // namespace cohsim::lua
