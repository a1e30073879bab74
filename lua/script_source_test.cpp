#include "lua/script_source.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "lua/sha1.h"
#include "testing/catch.h"

using namespace cohsim::lua;

namespace {

/// A folder of its own, gone at the end of the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "cohsim_script_source_test") {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string complaint(const std::string& path) {
  Interpreter interpreter;
  const auto loaded = load_script(path, interpreter);
  REQUIRE(std::holds_alternative<LoadError>(loaded));
  return std::get<LoadError>(loaded).text();
}

}  // namespace

TEST_CASE("a .lua file is taken byte for byte") {
  const Folder folder;
  Interpreter interpreter;
  const std::string text = "-- caf\xc3\xa9\r\nreturn 1";
  const auto loaded = load_script(folder.write("drop.lua", text), interpreter);
  REQUIRE(std::holds_alternative<ScriptSource>(loaded));
  const auto& source = std::get<ScriptSource>(loaded);
  CHECK(source.name == "drop");
  CHECK(source.text == text);
  CHECK(source.sha1 == sha1_hex(text));
}

TEST_CASE("a file that is no script says why, with its own name and line") {
  const Folder folder;
  const std::string bad = folder.write("bad.lua", "local x = 1\n\nx = = 2\n");
  CHECK(complaint(bad) == bad + ":3: unexpected symbol near '='");
  const std::string shebang = folder.write("shebang.lua", "#!lua flags=none\nreturn 1\n");
  CHECK(complaint(shebang) == shebang + ":1: Unexpected flag in script shebang: none");
  const std::string after = folder.write("after.lua", "#!lua\nreturn 1 1\n");
  CHECK(complaint(after) == after + ":2: '<eof>' expected near '1'");
  CHECK(complaint(folder.at("none.lua")) == folder.at("none.lua") + ": no such file");
  std::filesystem::create_directories(folder.at("folder.lua"));
  CHECK(complaint(folder.at("folder.lua")) == folder.at("folder.lua") + ": not a regular file");
  CHECK(complaint("/dev/null") == "/dev/null: not a .lua file");
  const std::string large = folder.write("large.lua", std::string(script_bytes_max + 1, ' '));
  CHECK(complaint(large) == large + ": larger than 1 MiB, which no script should be");
  const std::string full = folder.write("full.lua", std::string(script_bytes_max, ' '));
  Interpreter interpreter;
  CHECK(std::holds_alternative<ScriptSource>(load_script(full, interpreter)));
  const std::string elixir = folder.write("coherence.ex", "defmodule X do end");
  CHECK(complaint(elixir).find("Elixir source is not supported yet") != std::string::npos);
  const std::string bytecode = folder.write("code.lua", "\033LuaQ");
  CHECK(complaint(bytecode) == bytecode + ":1: unexpected symbol near 'char(27)'");
}

TEST_CASE("the bundled script is the file of the tree") {
  std::ifstream file(std::string(COHSIM_SOURCE_DIR) + "/lua/scripts/coherence_drop.lua", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  REQUIRE_FALSE(text.empty());
  CHECK(bundled_coherence_drop().text == text);
  CHECK(bundled_coherence_drop().sha1 == sha1_hex(text));
  CHECK(bundled_coherence_drop().name == "coherence_drop");
}
