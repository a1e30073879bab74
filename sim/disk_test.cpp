#include "sim/disk.h"

#include <string>

#include "testing/catch.h"

namespace cohsim {
namespace {

constexpr Actor node = actor_first_node;

/// Answers questions about the tail with a fixed pick, or the last answer where there are fewer.
struct Tail final : Strategy {
  std::uint64_t answer = 0;
  std::uint64_t asked = 0;
  std::uint64_t pick(const Question& question) override {
    CHECK(question.site == Site::disk_tail);
    CHECK(question.actor == node);
    ++asked;
    return std::min(answer, question.n - 1);
  }
};

TEST_CASE("a disk keeps what was written, whether synced or not, until the power goes") {
  Disk disk;
  CHECK(disk.read("journal").empty());
  disk.append("journal", "one ");
  disk.sync("journal");
  disk.append("journal", "two");
  // A crash of the process is nothing that the disk hears of.
  CHECK(disk.read("journal") == "one two");
}

TEST_CASE("calm power loss takes nothing") {
  Disk disk;
  disk.append("journal", "unsynced");
  Tail tail;
  Choices choices(tail);
  CHECK(disk.lose_power(choices, node).bytes == 0);
  CHECK(disk.read("journal") == "unsynced");
}

TEST_CASE("power loss takes a suffix of what was not synced, and nothing else") {
  for (std::uint64_t taken = 0; taken <= 10; ++taken) {
    Disk disk;
    disk.append("journal", "synced|");
    disk.sync("journal");
    disk.append("journal", "0123456789");
    Tail tail;
    tail.answer = taken;
    Choices choices(tail);
    CHECK(disk.lose_power(choices, node).bytes == taken);
    CHECK(disk.read("journal") == std::string("synced|0123456789").substr(0, 17 - taken));
  }
}

TEST_CASE("every length between nothing and the whole tail is an answer, and none beyond") {
  Disk disk;
  disk.append("journal", "abc");
  Tail tail;
  tail.answer = 1'000;
  Choices choices(tail);
  CHECK(disk.lose_power(choices, node).bytes == 3);
  CHECK(disk.read("journal").empty());
}

TEST_CASE("what a power loss left is durable: the next one takes nothing of it") {
  Disk disk;
  disk.append("journal", "0123456789");
  Tail tail;
  tail.answer = 4;
  Choices choices(tail);
  CHECK(disk.lose_power(choices, node).bytes == 4);
  CHECK(disk.lose_power(choices, node).bytes == 0);
  CHECK(tail.asked == 1);  // a file with nothing unsynced is no decision
  CHECK(disk.read("journal") == "012345");
}

TEST_CASE("each file loses its own tail") {
  Disk disk;
  disk.append("a", "aaaa");
  disk.append("b", "bbbb");
  disk.sync("b");
  disk.append("c", "cc");
  Tail tail;
  tail.answer = 3;
  Choices choices(tail);
  CHECK(disk.lose_power(choices, node).bytes == 5);
  CHECK(disk.read("a") == "a");
  CHECK(disk.read("b") == "bbbb");
  CHECK(disk.read("c").empty());
}

TEST_CASE("truncate cuts, never grows, and what is left counts as synced") {
  Disk disk;
  disk.append("journal", "0123456789");
  disk.truncate("journal", 20);
  CHECK(disk.read("journal") == "0123456789");
  disk.truncate("journal", 6);
  CHECK(disk.read("journal") == "012345");
  disk.truncate("elsewhere", 0);
  Tail tail;
  tail.answer = 9;
  Choices choices(tail);
  CHECK(disk.lose_power(choices, node).bytes == 0);
}

TEST_CASE("replace is durable in one step, and what follows it is not") {
  Disk disk;
  disk.append("journal", "old");
  disk.replace("journal", "new");
  disk.append("journal", " and more");
  Tail tail;
  tail.answer = 100;
  Choices choices(tail);
  CHECK(disk.lose_power(choices, node).bytes == 9);
  CHECK(disk.read("journal") == "new");
}

TEST_CASE("syncing a file that is not there does nothing") {
  Disk disk;
  disk.sync("journal");
  CHECK(disk.read("journal").empty());
}

TEST_CASE("a failed sync leaves its bytes to be read, no later sync brings them, and a power loss cuts there") {
  Disk disk;
  disk.append("journal", "synced|");
  disk.sync("journal");
  disk.append("journal", "dropped|");
  disk.fail_sync("journal");
  disk.append("journal", "later");
  disk.sync("journal");
  CHECK(disk.read("journal") == "synced|dropped|later");
  Tail tail;
  Choices choices(tail);
  const DiskLost lost = disk.lose_power(choices, node);
  CHECK(disk.read("journal") == "synced|");
  CHECK(lost.bytes == 13);
  CHECK(lost.doomed == 1);
  CHECK(disk.lose_power(choices, node).doomed == 0);
  // What replaces the file, or is cut away, takes the harm with it.
  disk.append("journal", "dropped");
  disk.fail_sync("journal");
  disk.truncate("journal", 7);
  disk.append("journal", "safe");
  disk.sync("journal");
  CHECK(disk.lose_power(choices, node).doomed == 0);
  CHECK(disk.read("journal") == "synced|safe");
}

TEST_CASE("a torn tail is zeros where bytes were lost") {
  struct Torn final : Strategy {
    std::uint64_t pick(const Question& question) override {
      if (question.site == Site::disk_tail) return 4;
      return question.site == Site::disk_torn ? 1 : 2;
    }
  } torn;
  Choices choices(torn);
  Disk disk;
  disk.append("journal", "0123456789");
  const DiskLost lost = disk.lose_power(choices, node, {0, ppm_one});
  CHECK(disk.read("journal") == std::string("012345\0\0\0", 9));
  CHECK(lost.bytes == 4);
  CHECK(lost.torn == 1);
}

}  // namespace
}  // namespace cohsim
