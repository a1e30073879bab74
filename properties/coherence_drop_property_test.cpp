// The script itself on a server, against a reference that works on numbers: no newer row is ever erased, a newer message
// always drops, the verdict is true, and what is kept is kept to the byte and the millisecond.
#include <fmt/format.h>

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

/// One command of a client: a row is set, or a message drops it, or time passes.
struct Command {
  enum class Kind { set, drop, wait } kind = Kind::wait;
  int name = 1;
  std::string bytes;       // of the row, or of the message's version
  std::int64_t ms = 0;     // ttl (0: none), or how long to wait
};

void showValue(const Command& command, std::ostream& out) {
  switch (command.kind) {
    case Command::Kind::set: out << "SET " << command.name << ' ' << rc::toString(command.bytes) << " PX " << command.ms; break;
    case Command::Kind::drop: out << "drop " << command.name << ' ' << rc::toString(command.bytes); break;
    case Command::Kind::wait: out << "wait " << command.ms << " ms"; break;
  }
}

rc::Gen<std::string> version(Snowflake around) {
  return rc::gen::exec([around] {
    const std::string name = *generate::name_space();
    return brand(name, *generate::near(around));
  });
}

rc::Gen<std::string> row(Snowflake around) {
  return rc::gen::weightedOneOf<std::string>({
      {6, rc::gen::exec([around] { const std::string head = *version(around); return head + *generate::bytes(0, 8); })},
      {2, generate::bytes(0, branded_size - 1)},
      {2, rc::gen::exec([around] { return (*version(around)).substr(0, *rc::gen::element<std::size_t>(13, 12, 4, 3)); })},
      {2, rc::gen::exec([around] { return *generate::one_byte_off(*version(around)); })},
      {1, generate::bytes(branded_size, 30)},
  });
}

rc::Gen<std::string> message(Snowflake around) {
  return rc::gen::weightedOneOf<std::string>({{6, version(around)}, {2, generate::bytes(0, 32)}});
}

rc::Gen<Command> command(Snowflake around) {
  return rc::gen::exec([around] {
    Command made;
    made.kind = *rc::gen::weightedElement<Command::Kind>({{4, Command::Kind::set}, {6, Command::Kind::drop},
                                                          {1, Command::Kind::wait}});
    made.name = *rc::gen::inRange(1, 4);
    if (made.kind == Command::Kind::set) {
      made.bytes = *row(around);
      made.ms = *rc::gen::element<std::int64_t>(0, 1, 40, 5'000);
    } else if (made.kind == Command::Kind::drop) {
      made.bytes = *message(around);
    } else {
      made.ms = *rc::gen::element<std::int64_t>(1, 2, 39, 40, 41, 5'001);
    }
    return made;
  });
}

/// What the rule says, on numbers; bytes that are no Base62 can only be compared as bytes.
bool is_newer(const std::string& incoming, const std::string& stored) {
  const std::optional<Snowflake> a = snowflake_of(incoming.substr(0, branded_size));
  const std::optional<Snowflake> b = snowflake_of(stored.substr(0, branded_size));
  if (a && b) return *a > *b;
  const auto part = [](const std::string& bytes) {
    std::vector<unsigned char> all(bytes.begin(), bytes.end());
    all.resize(std::min<std::size_t>(all.size(), 14));
    all.erase(all.begin(), all.begin() + std::min<std::ptrdiff_t>(3, std::ssize(all)));
    return all;
  };
  return part(incoming) > part(stored);
}

using Rows = std::map<std::string, valkey::Row>;

/// Does one drop to the reference's rows; names the branch, and answers by it.
std::string reference_drop(Rows& rows, const std::string& key, const std::string& incoming) {
  const auto found = rows.find(key);
  if (found == rows.end()) return "absent";
  const std::string branch = found->second.bytes.size() < branded_size ? "short"
                             : is_newer(incoming, found->second.bytes) ? "newer" : "kept";
  if (branch != "kept") rows.erase(found);
  return branch;
}

class Checked {
 public:
  explicit Checked(const ScriptUnderTest& script) : server_(shared_interpreter(), {}), script_(script) {
    RC_ASSERT(run({"SCRIPT", "LOAD", script.text}).text == script.sha1);
  }

  void run(const Command& command, Reached& reached) {
    const std::string key = l2_key("users", brand("USR", static_cast<Snowflake>(command.name)));
    if (command.kind == Command::Kind::wait) now_ms_ += command.ms;
    if (command.kind == Command::Kind::set) set(key, command);
    std::erase_if(rows_, [this](const auto& row) { return row.second.deadline_ms && *row.second.deadline_ms < now_ms_; });
    if (command.kind == Command::Kind::drop) drop(key, command.bytes, reached);
    const auto visible = server_.peek_all(now_ms_ * 1000);
    RC_ASSERT(Rows(visible.begin(), visible.end()) == rows_);
  }

 private:
  valkey::Reply run(const std::vector<std::string>& args) { return server_.execute(1, args, now_ms_ * 1000); }

  void set(const std::string& key, const Command& command) {
    std::vector<std::string> args{"SET", key, command.bytes};
    if (command.ms != 0) args.insert(args.end(), {"PX", std::to_string(command.ms)});
    RC_ASSERT(run(args).text == "OK");
    rows_[key] = {command.bytes, command.ms != 0 ? std::optional(now_ms_ + command.ms) : std::nullopt};
  }

  void drop(const std::string& key, const std::string& incoming, Reached& reached) {
    const std::string branch = reference_drop(rows_, key, incoming);
    reached.note(branch);
    const std::vector<std::string> call{"EVALSHA", script_.sha1, "1", key, incoming};
    RC_ASSERT(run(call) == valkey::Reply::of_integer(branch == "short" || branch == "newer" ? 1 : 0));
    // Once more, nothing in between: it answers 0, and the caller sees that the rows are still those of the reference.
    RC_ASSERT(run(call) == valkey::Reply::of_integer(0));
  }

  std::int64_t now_ms_ = 1'767'225'600'000;
  valkey::Server server_;
  const ScriptUnderTest& script_;
  Rows rows_;
};

auto erases_no_newer_row(const ScriptUnderTest& script, Reached& reached) {
  return [&script, &reached] {
    const Snowflake around = *generate::snowflake();
    const auto commands = *rc::gen::container<std::vector<Command>>(command(around));
    Checked checked(script);
    for (const Command& next : commands) checked.run(next, reached);
  };
}

}  // namespace

TEST_CASE("coherence_drop erases no newer row and drops every other as the reference on numbers says") {
  Reached reached;
  check_property("script and reference agree", erases_no_newer_row(script_under_test("coherence_drop"), reached),
                 {4'000, 60});
  reached.require({"absent", "short", "newer", "kept"});
}

TEST_CASE("coherence_drop's mutants do not pass for it") {
  const std::string mutants = std::string(COHSIM_SOURCE_DIR) + "/properties/mutants/";
  for (const char* mutant : {"at_least_as_new", "always_drop", "never_drop", "older_wins", "all_fourteen_bytes",
                             "bytes_5_to_14", "bytes_4_to_13", "shortest_frame_13", "shortest_frame_15",
                             "absent_answers_1", "kept_answers_1", "newer_answers_0", "short_answers_0", "touches_ttl"}) {
    Reached reached;
    const ScriptUnderTest script = script_under_test(mutants + mutant + ".lua");
    const PropertyOutcome outcome =
        try_property(fmt::format("{} passes for coherence_drop", mutant), erases_no_newer_row(script, reached), {4'000, 60});
    INFO(mutant);
    CHECK_FALSE(outcome.held);
    CHECK(outcome.report.find("RC_PARAMS=") != std::string::npos);
  }
}
