// The journal never resurrects stale data: any sequence of writes, intents, applications, replays, compactions, crashes
// and power losses, against a reference of maxima per name and of what a power loss may take back.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "model/message.h"
#include "properties/generators.h"
#include "properties/rapid.h"
#include "properties/small_world.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

constexpr int names = 2;

struct Op {
  enum class Kind { put, intend, apply, replay, compact, crash, beat } kind = Kind::beat;
  int node = 0;
  int name = 1;
  Snowflake version = 1;
  std::optional<Point> crash_at;  ///< intend, apply: the node crashes when the call has come so far
  bool power = false;             ///< of a crash
};

void showValue(const Op& op, std::ostream& out) {
  constexpr const char* kinds[] = {"put", "intend", "apply", "replay", "compact", "crash", "beat"};
  out << static_cast<char>('a' + op.node) << ": " << kinds[static_cast<int>(op.kind)] << ' ' << op.name << ':' << op.version;
  if (op.crash_at) out << ", crash at " << name_of(*op.crash_at);
  if (op.power) out << ", power loss";
}

rc::Gen<Op> op(int nodes) {
  using Kind = Op::Kind;
  return rc::gen::exec([nodes] {
    Op drawn;
    drawn.kind = *rc::gen::weightedElement<Kind>({{3, Kind::put}, {4, Kind::intend}, {5, Kind::apply}, {2, Kind::replay},
                                                  {2, Kind::compact}, {2, Kind::crash}, {2, Kind::beat}});
    drawn.node = *rc::gen::element(0, nodes - 1);
    drawn.name = *rc::gen::element(1, names);
    drawn.version = *rc::gen::inRange<Snowflake>(1, 30);
    drawn.power = *rc::gen::arbitrary<bool>();
    const bool crashes = *rc::gen::weightedElement<bool>({{4, false}, {1, true}});
    if (crashes && drawn.kind == Kind::intend) {
      drawn.crash_at = *rc::gen::element(Point::journal_record, Point::journal_enqueue, Point::journal_mark);
    }
    if (crashes && drawn.kind == Kind::apply) drawn.crash_at = *rc::gen::element(Point::journal_apply, Point::journal_remember);
    return drawn;
  });
}

using Numbers = std::map<int, Snowflake>;  // by name

/// What one journal holds, on numbers: the newest version applied to each name, and what was intended.
struct Held {
  struct Intent {
    int name;
    Snowflake version;
    bool own;  ///< for a queue that this node serves: only then can its own memory cover it
    friend auto operator<=>(const Intent&, const Intent&) = default;
  };
  Numbers applied;
  std::multiset<Intent> intents;
  friend bool operator==(const Held&, const Held&) = default;
};

/// The reference of one node: its L1, and every state that its journal ever had.
struct ReferenceNode {
  Numbers l1;
  std::vector<Held> history{Held{}};  ///< the last is the present; a process crash keeps it
  std::size_t durable = 0;            ///< no power loss goes back behind this one
  int handlers = 0;                   ///< that began and have not ended

  [[nodiscard]] const Held& now() const { return history.back(); }
  [[nodiscard]] bool remembers(int name, Snowflake version) const {
    const auto found = now().applied.find(name);
    return found != now().applied.end() && version <= found->second;
  }
  void intend(int name, Snowflake version, std::size_t queues) {
    Held next = now();
    for (std::size_t i = 0; i < queues; ++i) next.intents.insert({name, version, i == 0});
    history.push_back(next);
  }
  void remember(int name, Snowflake version) {
    Held next = now();
    next.applied[name] = version;
    history.push_back(next);
  }
  void compact() {
    Held next = now();
    std::erase_if(next.intents, [this](const auto& intent) { return intent.own && remembers(intent.name, intent.version); });
    if (next != now()) history.push_back(next);
  }
  /// A power loss may take the newest states back, one by one, though none that was there at a checkpoint.
  bool lose_power(const Held& recovered) {
    while (history.size() > durable + 1 && now() != recovered) history.pop_back();
    return now() == recovered;
  }
};

/// Drops what is older than the message.
void drop(Numbers& rows, int name, Snowflake version) {
  const auto row = rows.find(name);
  if (row != rows.end() && row->second < version) rows.erase(row);
}

class Checked final : public Observer {
 public:
  Checked(std::size_t nodes, Fanout fanout, JournalKind journal, std::uint64_t seed, Reached& reached)
      : small_(scenario(nodes, fanout, journal), seed), nodes_(nodes), reached_(reached) {
    small_.world().notes().watch(*this);
  }
  using Observer::on;

  /// The bus decides which node handles a job and when; what that does is the reference's own reckoning.
  void on(const When&, const event::HandlerBegan& began) override { ++references_[began.node].handlers; }
  void on(const When&, const event::HandlerEnded& ended) override {
    --references_[ended.node].handlers;
    if (ended.raised) failed_ = true;
    const auto number = [](std::string_view id) { return *snowflake_of(id); };
    const int name = ended.table.index == 0 && small_.id(1) == ended_name(ended.job) ? 1 : 2;
    applied(ended.node, name, number(ended_version(ended.job)), true);
  }
  void on(const When&, const event::JobClaimed& claimed) override { payloads_[std::string(claimed.job)] = claimed.payload; }
  void on(const When&, const event::JournalSynced& synced) override {
    references_[synced.node].durable = references_[synced.node].history.size() - 1;
    reached_.note("checkpoint");
  }
  void on(const When&, const event::JournalRecovered& recovered) override {
    ReferenceNode& reference = references_[recovered.node];
    reference.l1.clear();
    const Held found = held(recovered.node, *recovered.contents);
    if (found == reference.now()) return;
    reached_.note("power loss took something back");
    true_recovery_ = true_recovery_ && recovered.after_power_loss && reference.lose_power(found);
    lost_power_ = true;
  }

  void run(const Op& op) {
    const Actor node = static_cast<Actor>(SmallWorld::a + op.node);
    World& world = small_.world();
    Steps& steps = small_.steps();
    ReferenceNode& reference = references_[node];
    const NameRef name{0, small_.id(op.name)};
    const std::string version = brand("WAL", op.version);
    switch (op.kind) {
      case Op::Kind::put:
        RC_ASSERT(small_.run(node, world.node(node).put(0, name.id, "value", version)));
        reference.l1[op.name] = l2_[op.name] = op.version;
        break;
      case Op::Kind::intend:
        // The crash comes before what the point names: an intent is in the journal once the enqueue is next.
        // Or nowhere at all: a node that restarts within a millisecond mints job ids again, and the journal has them unique.
        if (const OperationState state = steps.intend(node, name, version, op.crash_at);
            op.crash_at != Point::journal_record && state.outcome != "failed") {
          reference.intend(op.name, op.version, queues());
        }
        break;
      case Op::Kind::apply: apply(op, node, name.id, version); break;
      case Op::Kind::replay: steps.replay(node, 0, {}); break;
      case Op::Kind::compact:
        steps.compact(node, 0, {});
        reference.compact();
        break;
      case Op::Kind::crash: break;
      case Op::Kind::beat: steps.advance(us_per_s); break;
    }
    if (op.crash_at || op.kind == Op::Kind::crash) crash(op, node);
    wait_for_handlers();
    compare();
  }

  void settle() {
    small_.steps().settle();
    compare();
    // Nothing that still stands in a journal and could be delivered was forgotten by everyone.
    for (const auto& [node, reference] : references_) {
      for (const auto& intent : reference.now().intents) {
        const bool remembered =
            std::any_of(references_.begin(), references_.end(),
                        [&](const auto& each) { return each.second.remembers(intent.name, intent.version); });
        RC_ASSERT(remembered || lost_power_);
      }
    }
  }

 private:
  static Scenario scenario(std::size_t nodes, Fanout fanout, JournalKind journal) {
    Scenario made = SmallWorld::scenario(Lane::job, nodes);
    made.design.fanout = fanout;
    made.design.journal = journal;
    return made;
  }
  [[nodiscard]] std::size_t queues() {
    return small_.world().scenario().design.fanout == Fanout::shared ? 1 : nodes_;
  }
  std::string_view ended_name(std::string_view job) { return std::string_view(payloads_[std::string(job)]).substr(0, 14); }
  std::string_view ended_version(std::string_view job) { return std::string_view(payloads_[std::string(job)]).substr(15); }

  /// A message came to a journal: what is remembered already is inert; else both layers drop what is older.
  void applied(Actor node, int name, Snowflake version, bool remembered) {
    ReferenceNode& reference = references_[node];
    if (reference.remembers(name, version)) return reached_.note("remembered stale");
    drop(l2_, name, version);
    drop(reference.l1, name, version);
    if (remembered) reference.remember(name, version);
  }

  void apply(const Op& op, Actor node, const std::string& id, const std::string& version) {
    World& world = small_.world();
    const bool stale = references_[node].remembers(op.name, op.version);
    const OperationState waiting = op.crash_at && !stale ? small_.steps().stop_next(node, *op.crash_at) : OperationState();
    std::optional<JournalVerdict> verdict;
    world.scheduler().spawn(node, keep(*world.node(node).journal(0), id, version, &verdict));
    const auto stopped = [&] {
      return waiting.operation != 0 && !small_.steps().state_of(waiting.operation).stopped_before.empty();
    };
    while (!verdict && !stopped()) RC_ASSERT(world.step(world.now() + Steps::patience_us));
    if (!stopped()) RC_ASSERT((verdict == JournalVerdict::remembered_stale) == stale);
    if (!stopped() || op.crash_at == Point::journal_remember) applied(node, op.name, op.version, !stopped());
    if (stopped()) reached_.note("crashed in apply");
  }
  static Task<void> keep(Journal& journal, std::string id, std::string version, std::optional<JournalVerdict>* verdict) {
    Task<JournalVerdict> applying = journal.apply_and_remember(std::move(id), std::move(version));
    *verdict = co_await applying;
  }

  void crash(const Op& op, Actor node) {
    // A call that was stopped keeps the journal's owner: handlers behind it have done nothing yet. Without one they are
    // let end, so that the reference knows what they did.
    if (!op.crash_at) wait_for_handlers();
    references_[node].handlers = 0;
    small_.steps().crash(node, op.power);
    small_.steps().restart(node);
  }

  void wait_for_handlers() {
    const auto handling = [](const auto& each) { return each.second.handlers != 0; };
    while (std::any_of(references_.begin(), references_.end(), handling)) {
      RC_ASSERT(small_.world().step(small_.world().now() + Steps::patience_us));
    }
  }

  Held held(Actor node, const JournalContents& contents) {
    Held found;
    const auto number = [](const std::string& version) { return *snowflake_of(version); };
    const auto name = [this](const std::string& id) { return id == small_.id(1) ? 1 : 2; };
    for (const auto& [id, applied] : contents.applied) found.applied[name(id)] = number(applied.version);
    const std::string own = small_.world().node(node).queue_of(0);
    for (const auto& [seq, intent] : contents.intents) {
      found.intents.insert({name(intent.name), number(intent.version), intent.queue == own});
    }
    return found;
  }

  void compare() {
    World& world = small_.world();
    RC_ASSERT_FALSE(failed_);
    RC_ASSERT(true_recovery_);
    for (const Actor node : world.node_actors()) {
      RC_ASSERT(held(node, *world.journal(node, 0)) == references_[node].now());
      Numbers l1;
      for (int name = 1; name <= names; ++name) {
        if (const L1Row* row = world.l1_row(node, 0, small_.id(name))) l1[name] = *snowflake_of(row->version);
      }
      RC_ASSERT(l1 == references_[node].l1);
    }
    Numbers l2;
    for (int name = 1; name <= names; ++name) {
      if (const auto row = world.l2_row(0, small_.id(name))) l2[name] = *snowflake_of(row->bytes.substr(0, branded_size));
    }
    RC_ASSERT(l2 == l2_);
  }

  SmallWorld small_;
  std::size_t nodes_;
  Reached& reached_;
  std::map<Actor, ReferenceNode> references_;
  Numbers l2_;
  std::map<std::string, std::string> payloads_;
  bool failed_ = false;
  bool true_recovery_ = true;
  bool lost_power_ = false;
};

}  // namespace

TEST_CASE("journal: it never resurrects stale data and keeps what a crash must leave") {
  Reached reached;
  check_property("journals and rows are those of the reference after every operation", [&] {
    const int nodes = *rc::gen::element(1, 2);
    const bool per_node = *rc::gen::arbitrary<bool>();
    const auto journal = *rc::gen::element(JournalKind::model, JournalKind::sqlite);
    const auto seed = *rc::gen::arbitrary<std::uint16_t>();
    const auto ops = *rc::gen::container<std::vector<Op>>(op(nodes));
    Checked checked(static_cast<std::size_t>(nodes), per_node ? Fanout::per_node : Fanout::shared, journal, seed, reached);
    for (const Op& next : ops) checked.run(next);
    checked.settle();
  }, {600, 100});
  reached.require({"remembered stale", "crashed in apply", "power loss took something back", "checkpoint"});
}
