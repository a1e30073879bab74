#include "sim/file_store.h"

#include "sim/scripted_strategy.h"
#include "testing/catch.h"

namespace cohsim {
namespace {

constexpr Actor node = actor_first_node;

struct Fixture {
  ScriptedStrategy strategy;
  Choices choices{strategy};
  DiskFaults faults;
  FileStore files;

  [[nodiscard]] std::string bytes(std::string_view file) const {
    std::string all(files.size(file), '?');
    files.read(file, 0, all);
    return all;
  }
  bool sync(std::string_view file) { return files.sync(file, faults, choices, node); }
  DiskLost lose_power() { return files.lose_power(faults, choices, node); }
};

}  // namespace

TEST_CASE("file store: bytes stand where they were written, a gap is zeros, a read answers what there is") {
  Fixture f;
  CHECK_FALSE(f.files.exists("db"));
  f.files.write("db", 2, "cd");
  f.files.write("db", 0, "a");
  CHECK(f.bytes("db") == std::string("a\0cd", 4));
  std::string part(3, '?');
  CHECK(f.files.read("db", 2, part) == 2);
  CHECK(f.files.read("db", 9, part) == 0);
  f.files.truncate("db", 3);
  CHECK(f.files.size("db") == 3);
  f.files.truncate("db", 9);
  CHECK(f.files.size("db") == 3);
  f.files.remove("db");
  CHECK_FALSE(f.files.exists("db"));
}

TEST_CASE("file store: a power loss takes the newest writes since the last sync, whole ones, in each file by itself") {
  for (std::uint64_t taken = 0; taken <= 3; ++taken) {
    Fixture f;
    f.files.write("db", 0, "....");
    REQUIRE(f.sync("db"));
    f.files.write("db", 0, "A");
    f.files.truncate("db", 2);
    f.files.write("db", 1, "B");
    f.files.write("log", 0, "log");
    f.strategy.answers[Site::disk_writes_lost] = {taken, 0};
    const DiskLost lost = f.lose_power();
    const std::string left[] = {"AB", "A.", "A...", "...."};
    CHECK(f.bytes("db") == left[taken]);
    CHECK(f.bytes("log") == "log");
    CHECK(lost.bytes == (taken == 0 ? 0 : taken == 3 ? 2 : 1));
    CHECK(lost.torn == 0);
    f.strategy.answers[Site::disk_writes_lost] = {};
    CHECK(f.lose_power().bytes == 0);  // what it left is safe
  }
}

TEST_CASE("file store: a torn write leaves its first bytes, at least one and not all") {
  for (std::uint64_t pick = 0; pick < 3; ++pick) {
    Fixture f;
    f.faults.torn = ppm_one;
    f.files.write("db", 0, "....");
    REQUIRE(f.sync("db"));
    f.files.write("db", 0, "ABCD");
    f.files.write("db", 0, "abcd");
    f.strategy.answers[Site::disk_writes_lost] = {2};
    f.strategy.answers[Site::disk_torn] = {1};
    f.strategy.answers[Site::disk_torn_bytes] = {pick};
    const DiskLost lost = f.lose_power();
    CHECK(f.bytes("db") == std::string("ABCD").substr(0, pick + 1) + std::string(3 - pick, '.'));
    CHECK(lost.torn == 1);
    CHECK(lost.bytes == 8 - (pick + 1));
  }
}

TEST_CASE("file store: a failed sync leaves its writes to be seen and makes them safe at no later sync") {
  Fixture f;
  f.files.write("db", 0, "....");
  REQUIRE(f.sync("db"));
  f.files.write("db", 0, "AB");
  f.faults.sync_fail = ppm_one;
  f.strategy.answers[Site::disk_sync_fail] = {1};
  CHECK_FALSE(f.sync("db"));
  f.faults.sync_fail = 0;
  CHECK(f.bytes("db") == "AB..");
  f.files.write("db", 1, "x");  // written again: this byte is safe with the next sync
  CHECK(f.sync("db"));
  CHECK(f.bytes("db") == "Ax..");
  CHECK(f.lose_power().doomed == 1);
  CHECK(f.bytes("db") == ".x..");
  CHECK(f.lose_power().doomed == 0);
}

}  // namespace cohsim
