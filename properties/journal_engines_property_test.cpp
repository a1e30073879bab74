// Both engines of the journal answer alike: transaction by transaction, with deaths at every call to the disk and power
// losses, and over whole runs, event by event.
#include <algorithm>
#include <vector>

#include "model/journal_model.h"
#include "model/journal_sqlite.h"
#include "model/test_world.h"
#include "properties/generators.h"
#include "properties/rapid.h"
#include "properties/scenario_text.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

constexpr const char* own_queue = "ecc.coh.users.a";
constexpr const char* other_queue = "ecc.coh.users.b";
constexpr int names = 3;

struct Op {
  enum class Kind { record, mark, remember, compact, checkpoint, die, die_inside, power_loss } kind = Kind::record;
  int name = 1;
  Snowflake version = 1;
  int kind_of_version = 0;
  std::uint64_t pick = 0;  ///< die_inside: after how many calls; power_loss: how many writes of each file go
  bool torn = false;
};

void showValue(const Op& op, std::ostream& out) {
  constexpr const char* kinds[] = {"record",     "mark", "remember",   "compact",
                                   "checkpoint", "die",  "die inside", "power loss"};
  out << kinds[static_cast<int>(op.kind)] << ' ' << op.name << ':' << op.version << " pick " << op.pick
      << (op.torn ? " torn" : "");
}

rc::Gen<Op> op() {
  return rc::gen::exec([] {
    using Kind = Op::Kind;
    Op drawn;
    drawn.kind = *rc::gen::weightedElement<Kind>({{6, Kind::record},
                                                  {3, Kind::mark},
                                                  {6, Kind::remember},
                                                  {2, Kind::compact},
                                                  {1, Kind::checkpoint},
                                                  {1, Kind::die},
                                                  {3, Kind::die_inside},
                                                  {1, Kind::power_loss}});
    drawn.name = *rc::gen::inRange(1, names + 1);
    drawn.version = *rc::gen::inRange<Snowflake>(1, 40);
    drawn.kind_of_version = *rc::gen::inRange(0, 3);
    drawn.pick = *rc::gen::inRange<std::uint64_t>(0, 30);
    drawn.torn = *rc::gen::arbitrary<bool>();
    return drawn;
  });
}

/// Both engines side by side on the disks of one node. The model's states are the reference.
class Engines {
 public:
  explicit Engines(Reached& reached) : world_(scenario()), reached_(reached) { open(); }

  void run(const Op& op) {
    switch (op.kind) {
      case Op::Kind::checkpoint:
        RC_ASSERT(sqlite_->checkpoint(done()));
        safe_ = done();
        break;
      case Op::Kind::die: die(nullptr, op); break;
      case Op::Kind::die_inside: {
        const JournalTransaction transaction = draw(op);
        die(&transaction, op);
        break;
      }
      case Op::Kind::power_loss: lose_power(op); break;
      default: {
        const JournalTransaction transaction = draw(op);
        RC_ASSERT(sqlite_->commit(transaction, done() + 1));
        take(transaction);
      }
    }
    compare();
  }

 private:
  static Scenario scenario() {
    Scenario made = test::scenario_on(Lane::none);
    made.faults.disks.torn = ppm_one / 2;
    return made;
  }
  NodeContext& node() { return world_.node(test::a).context(); }
  [[nodiscard]] std::uint64_t done() const { return transactions_.size(); }
  static std::string name_of(int name) { return brand("USR", static_cast<Snowflake>(name)); }

  void open() {
    sqlite_ = std::make_unique<SqliteJournal>(node(), TableRef{0, "users"}, files_);
    const std::uint64_t held = sqlite_->recover();
    RC_ASSERT(held <= done());
    // What the model held after as many transactions; it goes on from there.
    transactions_.resize(held);
    disk_ = Disk();
    model_ = std::make_unique<ModelJournal>(node(), TableRef{0, "users"}, disk_);
    model_->recover();
    for (const JournalTransaction& transaction : transactions_) model_->commit(transaction, 0);
    ModelJournal again(node(), TableRef{0, "users"}, disk_);
    RC_ASSERT(again.recover() == held);
    RC_ASSERT(again.contents() == model_->contents());
  }

  JournalTransaction draw(const Op& op) {
    constexpr const char* kinds[] = {"USR", "AAA", "ZZZ"};
    const std::string version = brand(kinds[op.kind_of_version], op.version);
    const std::string id = name_of(op.name);
    JournalTransaction drawn;
    switch (op.kind) {
      case Op::Kind::mark:
        drawn.write = JournalWrite::mark_enqueued;
        if (!model_->contents().intents.empty()) drawn.intents = {model_->contents().intents.begin()->second};
        break;
      case Op::Kind::compact:
        drawn.write = JournalWrite::compact;
        drawn.intents = sqlite_->intents(true, own_queue);
        break;
      case Op::Kind::remember:
        drawn.write = JournalWrite::remember;
        drawn.id = id;
        drawn.version = version;
        break;
      default:
        for (const char* queue : {own_queue, other_queue}) {
          drawn.intents.push_back({++seq_, brand("JOB", static_cast<Snowflake>(seq_)), id, version, queue, false});
        }
    }
    return drawn;
  }

  void take(const JournalTransaction& transaction) {
    model_->commit(transaction, done() + 1);
    transactions_.push_back(transaction);
  }

  void die(const JournalTransaction* under_way, const Op& op) {
    world_.strategy.answers[Site::disk_crash_call] = {op.pick};
    const std::uint64_t acknowledged = done();
    sqlite_->die(under_way, done() + 1, false);
    sqlite_.reset();
    world_.strategy.answers.clear();
    if (under_way != nullptr) take(*under_way);
    open();
    RC_ASSERT(done() >= acknowledged);
    if (under_way == nullptr) return;
    reached_.note(done() > acknowledged ? "died behind the commit"
                  : op.pick == 0        ? "died before it"
                                        : "died inside it");
  }

  void lose_power(const Op& op) {
    const std::uint64_t acknowledged = done();
    sqlite_->die(nullptr, 0, false);
    sqlite_.reset();
    world_.strategy.answers[Site::disk_writes_lost] = {op.pick, op.pick};  // the database, and its log
    if (op.torn) world_.strategy.answers[Site::disk_torn] = {1, 1};
    world_.strategy.answers[Site::disk_torn_bytes] = {op.version * 97, op.version * 97};
    if (files_.lose_power(node().disk_faults(), world_.world.choices(), test::a).torn != 0) reached_.note("torn");
    world_.strategy.answers.clear();
    open();
    RC_ASSERT(done() >= safe_);
    safe_ = done();
    if (done() < acknowledged) reached_.note("power loss took something back");
  }

  void compare() {
    RC_ASSERT(sqlite_->contents() == model_->contents());
    for (const char* queue : {own_queue, other_queue}) {
      for (const bool covered : {false, true}) {
        const auto found = sqlite_->intents(covered, queue);
        RC_ASSERT(found == model_->intents(covered, queue));
        if (covered && !found.empty()) reached_.note("covered");
      }
    }
    for (int name = 1; name <= names; ++name)
      RC_ASSERT(sqlite_->remembered(name_of(name)) == model_->remembered(name_of(name)));
    const std::string job = brand("JOB", static_cast<Snowflake>(std::max<std::int64_t>(seq_ - 1, 1)));
    RC_ASSERT(sqlite_->has_job(job) == model_->has_job(job));
  }

  test::TestWorld world_;
  Reached& reached_;
  FileStore files_;
  Disk disk_;
  std::unique_ptr<SqliteJournal> sqlite_;
  std::unique_ptr<ModelJournal> model_;
  std::vector<JournalTransaction> transactions_;
  std::uint64_t safe_ = 0;
  std::int64_t seq_ = 0;
};

/// Deaths inside a commit fall before its first call, as they do in the model.
class BetweenCommits final : public Strategy {
 public:
  explicit BetweenCommits(std::uint64_t seed) : random_(seed) {}
  std::uint64_t pick(const Question& question) override {
    return question.site == Site::disk_crash_call ? 0 : random_.pick(question);
  }

 private:
  RandomStrategy random_;
};

std::vector<std::string> events_of(Scenario scenario, JournalKind journal, std::uint64_t seed) {
  scenario.design.journal = journal;
  BetweenCommits strategy(seed);
  test::EventLog log;
  World world(scenario, strategy, test::interpreter(), test::bundled_script());
  Workload workload(world);
  world.trace().listen(&log);
  world.start();
  if (scenario.workload.operations != 0) workload.start();
  while (scenario.workload.operations != 0 && !workload.done()) world.step(world.scheduler().next_due());
  world.settle(true);
  std::erase_if(log.lines, [](const std::string& line) { return line.starts_with("disk calls"); });
  return log.lines;
}

}  // namespace

TEST_CASE(
    "journal engines: after every transaction, death and power loss, SQLite holds and answers what the model does") {
  Reached reached;
  check_property("both engines are alike",
                 [&] {
                   const auto ops = *rc::gen::container<std::vector<Op>>(op());
                   Engines engines(reached);
                   for (const Op& next : ops) engines.run(next);
                 },
                 {300, 80});
  reached.require({"died behind the commit", "died before it", "died inside it", "power loss took something back",
                   "torn", "covered"});
}

TEST_CASE("journal engines: runs with either differ in no event but SQLite's calls to the disk") {
  Reached reached;
  check_property("the same events",
                 [&] {
                   Scenario scenario = *generate::scenario();
                   scenario.design.fanout = *rc::gen::element(Fanout::shared, Fanout::per_node);
                   scenario.tables[0].lane = Lane::job;
                   scenario.workload.mix.compact = 2;
                   scenario.workload.mix.replay = 1;
                   scenario.faults.nodes.power_loss = 0;  // which bytes it takes depends on what they are
                   for (NodeFaults& more : scenario.faults.nodes.more) more.power_loss = 0;
                   scenario.faults.disks = DiskRules{};
                   const auto seed = *rc::gen::arbitrary<std::uint16_t>();
                   const std::vector<std::string> model = events_of(scenario, JournalKind::model, seed);
                   const std::vector<std::string> sqlite = events_of(scenario, JournalKind::sqlite, seed);
                   const auto [left, right] = std::mismatch(model.begin(), model.end(), sqlite.begin(), sqlite.end());
                   if (left != model.end() || right != sqlite.end()) {
                     RC_FAIL("model: " + (left == model.end() ? "(end)" : *left) +
                             "; sqlite: " + (right == sqlite.end() ? "(end)" : *right));
                   }
                   for (const std::string& line : model) {
                     if (line.starts_with("journal recovered")) reached.note("recovered");
                     if (line.starts_with("journal synced")) reached.note("checkpoint");
                     if (line.starts_with("journal writes") && line.find("write=compact") != line.npos)
                       reached.note("compacted");
                   }
                 },
                 {100, 100});
  reached.require({"recovered", "checkpoint", "compacted"});
}
