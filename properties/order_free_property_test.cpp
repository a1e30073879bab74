// Order and multiplicity of messages do not matter: whatever the bus did to the order of one set of them, rows and
// memory come out alike, and as the newest of them says.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "model/message.h"
#include "properties/generators.h"
#include "properties/rapid.h"
#include "properties/small_world.h"
#include "sim/valkey/server.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

constexpr int names = 3;
constexpr Actor node = SmallWorld::a;

/// About name 1..3, by the number of its version; the namespace is any.
struct Announced {
  int name = 1;
  Snowflake number = 0;
  std::string name_space = "WAL";
  [[nodiscard]] std::string version() const { return brand(name_space, number); }
};

void showValue(const Announced& message, std::ostream& out) { out << message.name << ':' << message.version(); }

/// What stood before the first message, by name: absent, or the number of a version.
using Numbers = std::map<int, Snowflake>;

struct Case {
  Numbers l1, l2, memory;
  std::vector<Announced> once, again;  ///< the same set of messages in two orders, some of them several times
};

rc::Gen<Numbers> numbers(Snowflake around) {
  return rc::gen::exec([around] {
    Numbers drawn;
    for (int name = 1; name <= names; ++name) {
      if (*rc::gen::arbitrary<bool>()) drawn[name] = *generate::near(around);
    }
    return drawn;
  });
}

/// Each of `messages` at least once, in any order.
std::vector<Announced> disordered(const std::vector<Announced>& messages) {
  std::vector<Announced> all = messages;
  if (!messages.empty()) {
    const auto twice = *rc::gen::container<std::vector<Announced>>(rc::gen::elementOf(messages));
    all.insert(all.end(), twice.begin(), twice.end());
  }
  std::vector<Announced> shuffled;
  while (!all.empty()) {
    const auto at = all.begin() + *rc::gen::resize(100, rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(all)));
    shuffled.push_back(*at);
    all.erase(at);
  }
  return shuffled;
}

Case draw_case() {
  const Snowflake around = *generate::snowflake();
  Case drawn{*numbers(around), *numbers(around), *numbers(around), {}, {}};
  const auto message = rc::gen::exec([around] {
    const int name = *rc::gen::inRange(1, names + 1);
    const std::string name_space = *generate::name_space();
    return Announced{name, *generate::near(around), name_space};
  });
  const auto messages = *rc::gen::container<std::vector<Announced>>(message);
  drawn.once = disordered(messages);
  drawn.again = disordered(messages);
  return drawn;
}

/// The newest message about each name.
Numbers newest(const std::vector<Announced>& messages) {
  Numbers most;
  for (const Announced& message : messages) {
    most[message.name] = std::max(most.count(message.name) ? most[message.name] : message.number, message.number);
  }
  return most;
}

/// Rows that no message was newer than. `memory`: messages that are not newer than it do nothing.
Numbers survivors(const Numbers& rows, const Numbers& messages, const Numbers& memory) {
  Numbers left;
  for (const auto& [name, number] : rows) {
    const auto message = messages.find(name);
    const auto remembered = memory.find(name);
    const bool counts = message != messages.end() && (remembered == memory.end() || message->second > remembered->second);
    if (!counts || message->second <= number) left[name] = number;
  }
  return left;
}

/// The rows of the script alone, on a server of its own.
Numbers through_script(const Numbers& rows, const std::vector<Announced>& messages) {
  valkey::Server server(shared_interpreter(), {});
  const ScriptUnderTest& script = script_under_test("coherence_drop");
  const auto run = [&](const std::vector<std::string>& args) { return server.execute(1, args, 0); };
  for (const auto& [name, number] : rows) run({"SET", std::to_string(name), brand("WAL", number) + "value"});
  for (const Announced& message : messages) {
    run({"EVAL", script.text, "1", std::to_string(message.name), message.version()});
  }
  Numbers left;
  for (const auto& [key, row] : server.peek_all(0)) left[std::stoi(key)] = *snowflake_of(row.bytes.substr(0, branded_size));
  return left;
}

/// A node with rows in both layers and a memory, and what it is left with.
class ReceivingNode {
 public:
  ReceivingNode(const Case& before, Lane lane) : small_(SmallWorld::scenario(lane, 1), 1) {
    Node& at = small_.world().node(node);
    for (const auto& [name, number] : before.l1) {
      RC_ASSERT(small_.run(node, at.put(0, small_.id(name), "value", brand("WAL", number))));
      small_.steps().raw({"DEL", l2_key("money", small_.id(name))});
    }
    for (const auto& [name, number] : before.memory) {
      if (lane == Lane::job) remember(name, number);
    }
    for (const auto& [name, number] : before.l2) {
      small_.steps().raw({"SET", l2_key("money", small_.id(name)), brand("WAL", number) + "value"});
    }
  }

  void apply_from_ring(const std::vector<Announced>& messages) {
    for (const Announced& message : messages) {
      small_.world().node(node).table(0)->apply_from_ring(small_.id(message.name), message.version());
    }
  }

  /// All at once: the journal has one owner, which takes them in an order that the run draws.
  void apply_and_remember(const std::vector<Announced>& messages) {
    const auto apply = [](Journal& journal, std::string id, std::string version) -> Task<void> {
      Task<JournalVerdict> applying = journal.apply_and_remember(std::move(id), std::move(version));
      co_await applying;
    };
    World& world = small_.world();
    for (const Announced& message : messages) {
      Task<void> task = apply(*world.node(node).journal(0), small_.id(message.name), message.version());
      world.scheduler().spawn(node, std::move(task));
    }
    RC_ASSERT(world.run_until_quiet(world.now() + 60 * us_per_s));
  }

  [[nodiscard]] Numbers l1() {
    return by_name([this](const std::string& id) -> std::optional<std::string> {
      const L1Row* row = small_.world().l1_row(node, 0, id);
      return row == nullptr ? std::nullopt : std::optional(row->version);
    });
  }
  [[nodiscard]] Numbers l2() {
    return by_name([this](const std::string& id) -> std::optional<std::string> {
      const std::optional<valkey::Row> row = small_.world().l2_row(0, id);
      return row ? std::optional(row->bytes.substr(0, branded_size)) : std::nullopt;
    });
  }
  [[nodiscard]] Numbers memory() {
    const auto& applied = small_.world().journal(node, 0)->applied;
    return by_name([&](const std::string& id) -> std::optional<std::string> {
      const auto found = applied.find(id);
      return found == applied.end() ? std::nullopt : std::optional(found->second.version);
    });
  }

 private:
  // Past the rows that stand already: a version is remembered before they come.
  void remember(int name, Snowflake number) {
    Node& at = small_.world().node(node);
    const L1Row* row = small_.world().l1_row(node, 0, small_.id(name));
    const std::optional<std::string> version = row == nullptr ? std::nullopt : std::optional(row->version);
    small_.run(node, at.journal(0)->apply_and_remember(small_.id(name), brand("WAL", number)));
    if (!version) return;
    RC_ASSERT(small_.run(node, at.put(0, small_.id(name), "value", *version)));
    small_.steps().raw({"DEL", l2_key("money", small_.id(name))});
  }

  template <class Look>
  Numbers by_name(Look look) {
    Numbers found;
    for (int name = 1; name <= names; ++name) {
      if (const auto version = look(small_.id(name))) found[name] = *snowflake_of(*version);
    }
    return found;
  }

  SmallWorld small_;
};

}  // namespace

TEST_CASE("order free: L2 by the script") {
  check_property("the script leaves the same rows after any order", [] {
    const Case drawn = draw_case();
    const Numbers left = survivors(drawn.l2, newest(drawn.once), {});
    RC_ASSERT(through_script(drawn.l2, drawn.once) == left);
    RC_ASSERT(through_script(drawn.l2, drawn.again) == left);
  }, {800, 40});
}

TEST_CASE("order free: L1 by the ring's applier") {
  check_property("L1 holds the same rows after any order", [] {
    const Case drawn = draw_case();
    ReceivingNode first(drawn, Lane::broadcast), second(drawn, Lane::broadcast);
    first.apply_from_ring(drawn.once);
    second.apply_from_ring(drawn.again);
    RC_ASSERT(first.l1() == survivors(drawn.l1, newest(drawn.once), {}));
    RC_ASSERT(second.l1() == first.l1());
  }, {400, 40});
}

TEST_CASE("order free: memory and both layers by the journal") {
  Reached reached;
  check_property("the journal remembers the newest and leaves the same rows after any order", [&] {
    const Case drawn = draw_case();
    ReceivingNode first(drawn, Lane::job), second(drawn, Lane::job);
    first.apply_and_remember(drawn.once);
    second.apply_and_remember(drawn.again);
    Numbers memory = newest(drawn.once);
    for (const auto& [name, number] : drawn.memory) {
      reached.note(memory.count(name) == 0 ? "not announced" : memory[name] <= number ? "remembered" : "newer than memory");
      memory[name] = std::max(memory.count(name) ? memory[name] : number, number);
    }
    RC_ASSERT(first.memory() == memory);
    RC_ASSERT(second.memory() == memory);
    RC_ASSERT(first.l1() == survivors(drawn.l1, newest(drawn.once), drawn.memory));
    RC_ASSERT(second.l1() == first.l1());
    RC_ASSERT(first.l2() == survivors(drawn.l2, newest(drawn.once), drawn.memory));
    RC_ASSERT(second.l2() == first.l2());
  }, {300, 40});
  reached.require({"not announced", "remembered", "newer than memory"});
}
