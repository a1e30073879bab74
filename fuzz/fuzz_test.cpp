// Every kept input through its target.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "fuzz/targets.h"
#include "testing/catch.h"

namespace fs = std::filesystem;

TEST_CASE("every input of the corpora goes through its target") {
  for (const cohsim::fuzz::Target& target : cohsim::fuzz::targets()) {
    std::set<fs::path> files;  // in the order of names
    for (const auto& entry : fs::directory_iterator(fs::path(COHSIM_SOURCE_DIR) / "fuzz/corpus" / target.name)) files.insert(entry.path());
    CHECK(files.size() >= 10);
    for (const fs::path& file : files) {
      std::ifstream stream(file, std::ios::binary);
      std::ostringstream text;
      text << stream.rdbuf();
      INFO(file.string());
      CHECK_NOTHROW(target.run(text.str()));
    }
  }
}

TEST_CASE("bytes that are no frames, or half of one, are told from frames") {
  using cohsim::fuzz::are_frames;
  CHECK(are_frames(""));
  CHECK(are_frames("+OK\r\n$1\r\na\r\n*1\r\n:1\r\n"));
  CHECK_FALSE(are_frames("+OK\r\n$2\r\na\r\n"));
  CHECK_FALSE(are_frames("+OK"));
  CHECK_FALSE(are_frames("OK\r\n"));
}
