// The journal's storage (domain.md section 6): what a crash keeps is a prefix of whole transactions.
#include "testing/catch.h"

#include "model/journal_log.h"
#include "sim/scripted_strategy.h"

namespace cohsim {

namespace {

JournalTransaction record(std::int64_t seq) {
  return {JournalWrite::record, {{seq, "job" + std::to_string(seq), "name", "version", "queue", false}}, {}, {}};
}
JournalTransaction remember(std::string version) { return {JournalWrite::remember, {}, "name", std::move(version)}; }

const std::vector<JournalTransaction>& history() {
  static const std::vector<JournalTransaction> all{
      record(1), {JournalWrite::mark_enqueued, record(1).intents, {}, {}}, remember("USR00000000005"), record(2),
      remember("USR00000000004"), {JournalWrite::compact, record(1).intents, {}, {}}};
  return all;
}

}  // namespace

TEST_CASE("journal log: transactions do what they say, memory is only raised, compared as bytes behind the namespace") {
  JournalContents contents;
  for (const auto& transaction : history()) apply_transaction(contents, transaction);
  CHECK(contents.intents.size() == 1);
  CHECK_FALSE(contents.intents.at(2).enqueued);
  CHECK(contents.applied.at("name") == JournalContents::Applied{"USR00000000005", 1});
  apply_transaction(contents, remember("ABC00000000006"));
  CHECK(contents.applied.at("name") == JournalContents::Applied{"ABC00000000006", 2});
}

TEST_CASE("journal log: a power loss of any length leaves whole transactions, and never a hole") {
  std::vector<JournalContents> after{{}};
  std::vector<std::size_t> ends{0};
  Disk whole;
  JournalLog log(whole, "j");
  for (const auto& transaction : history()) {
    log.append(transaction);
    after.push_back(after.back());
    apply_transaction(after.back(), transaction);
    ends.push_back(whole.read("j").size());
  }
  for (std::size_t lost = 0; lost <= ends.back(); ++lost) {
    Disk disk = whole;
    ScriptedStrategy strategy;
    strategy.answers[Site::disk_tail] = {lost};
    Choices choices(strategy);
    REQUIRE(disk.lose_power(choices, actor_first_node).bytes == lost);
    const std::size_t kept = static_cast<std::size_t>(
        std::upper_bound(ends.begin(), ends.end(), ends.back() - lost) - ends.begin() - 1);
    JournalLog recovering(disk, "j");
    const JournalLog::Recovered recovered = recovering.recover();
    REQUIRE(recovered.transactions == kept);
    REQUIRE(recovered.contents == after[kept]);
    REQUIRE(disk.read("j").size() == ends[kept]);  // what is no record is cut off, or the next append would be lost
  }
}

TEST_CASE("journal log: a synced transaction survives a power loss, a damaged record ends the log") {
  Disk disk;
  JournalLog log(disk, "j");
  log.append(record(1));
  log.checkpoint({}, 1);  // too short to be rewritten: synced
  const std::size_t synced = disk.read("j").size();
  log.append(record(2));
  log.append(record(3));
  ScriptedStrategy strategy;
  Choices choices(strategy);
  std::string bytes(disk.read("j"));
  SECTION("everything unsynced is lost") {
    strategy.answers[Site::disk_tail] = {1'000'000};
    disk.lose_power(choices, actor_first_node);
  }
  SECTION("one bit of the second record is wrong, header or payload") {
    const std::size_t at = GENERATE(std::size_t{0}, std::size_t{8}, std::size_t{20});
    bytes[synced + at] = static_cast<char>(bytes[synced + at] ^ 1);
    disk.replace("j", bytes);
  }
  const JournalLog::Recovered recovered = JournalLog(disk, "j").recover();
  CHECK(recovered.transactions == 1);
  CHECK(recovered.contents.intents.size() == 1);
}

TEST_CASE("journal log: a checkpoint of a long log rewrites it, and keeps contents and count") {
  Disk disk;
  JournalLog log(disk, "j");
  JournalContents contents;
  std::uint64_t count = 0;
  while (disk.read("j").size() < JournalLog::rewrite_size) {
    const JournalTransaction transaction = remember("USR0000000" + std::to_string(1000 + count++));
    log.append(transaction);
    apply_transaction(contents, transaction);
  }
  log.append(record(7));
  apply_transaction(contents, record(7));
  log.checkpoint(contents, ++count);
  CHECK(disk.read("j").size() < 500);
  log.append(record(8));
  apply_transaction(contents, record(8));
  const JournalLog::Recovered recovered = JournalLog(disk, "j").recover();
  CHECK(recovered.contents == contents);
  CHECK(recovered.transactions == count + 1);
}

}  // namespace cohsim
