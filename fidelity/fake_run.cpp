#include "fidelity/fake_run.h"

#include <algorithm>
#include <cstdlib>
#include <array>
#include <deque>
#include <map>
#include <string_view>
#include <utility>

#include "fidelity/by_design.h"
#include "sim/valkey/integer_text.h"

namespace cohsim::fidelity {

namespace {

/// Which commands of a connection still have their reply to come, and which wait for its EXEC.
struct Awaited {
  std::deque<std::pair<How, bool>> replies;  ///< and whether it is EXEC
  std::vector<How> queued;
};

constexpr std::size_t kind_line = 4;  // bytes of "*3\r\n" or ">3\r\n"

constexpr std::array<std::string_view, 5> ordered_by_hash{"HGETALL", "HKEYS", "HVALS", "SMEMBERS", "HSCAN"};

/// Small collections are kept in order by the real server too: no excuse for another order.
bool is_in_order(FakeConnections& fake, const Sent& sent) {
  const bool named = std::find(ordered_by_hash.begin(), ordered_by_hash.end(), sent.name) != ordered_by_hash.end();
  if (!named || sent.args[0] == "EVAL" || sent.args.size() < 2) return false;
  const auto row = fake.server().peek(sent.args[1], fake.now_us());
  if (!row) return false;
  const std::vector<std::string> ask{"OBJECT", "ENCODING", sent.args[1]};
  const std::string encoding = fake.server().rehearse(ask, fake.now_us()).text;
  return encoding.find("listpack") != std::string::npos || encoding.find("intset") != std::string::npos;
}

/// SUBSCRIBE of several channels inside EXEC answers more replies than EXEC has announced, CLIENT REPLY fewer: what
/// follows on that connection is out of step.
bool miscounts(const Sent& sent) {
  return sent.name == "CLIENT REPLY" || (sent.name.ends_with("SUBSCRIBE") && sent.args.size() != 2);
}

/// Which of two deadlines is later is certain where they are further apart than a command may take on the real server.
bool is_certain(FakeConnections& fake, const Sent& sent) {
  constexpr std::int64_t doubtful_ms = 2000;
  const auto row = fake.server().peek(sent.args[1], fake.now_us());
  if (!row || !row->deadline_ms || sent.args.size() < 3) return true;
  const auto amount = valkey::read_integer(sent.args[2]);
  constexpr std::int64_t most = std::int64_t{1} << 40U;
  if (!amount || *amount > most || *amount < -most) return true;
  const std::int64_t deadline_ms = fake.now_us() / 1000 + *amount * (sent.name == "EXPIRE" ? 1000 : 1);
  return std::llabs(deadline_ms - *row->deadline_ms) > doubtful_ms;
}

/// Which of two patterns that match tells its client first follows the real server's hash table.
bool matches_twice(const Sequence& sequence) {
  std::size_t patterns = 0;
  for (const Sent& sent : sequence) {
    if (sent.name == "PSUBSCRIBE") patterns += sent.args.size() - 1;
  }
  return patterns > 1;
}

How next_how(Awaited& awaited, const std::string& bytes) {
  const std::string_view event = std::string_view(bytes).substr(std::min(bytes.size(), kind_line));
  if (event.starts_with("$11\r\nunsub") || event.starts_with("$12\r\npunsub") || event.starts_with("$12\r\nsunsub")) {
    return {Comparison::channel, {}};
  }
  if (bytes.front() == '>' || awaited.replies.empty()) return {};
  auto [how, executes] = std::move(awaited.replies.front());
  awaited.replies.pop_front();
  if (executes) {
    how.items = std::move(awaited.queued);
    awaited.queued.clear();
  }
  if (bytes == "+QUEUED\r\n") awaited.queued.push_back(std::move(how));
  return bytes == "+QUEUED\r\n" ? How{} : how;
}

}  // namespace

FakeRun run_on_fake(FakeConnections& fake, const Sequence& sequence) {
  FakeRun run;
  std::map<int, Awaited> awaited;
  for (const Sent& sent : sequence) awaited[sent.connection];
  bool databases = false;
  std::set<int> unsteady, loose;  // connections whose EXEC may come out of step, and those behind one
  const bool any_pattern_first = matches_twice(sequence);
  for (std::size_t place = 0; place < sequence.size(); ++place) {
    const Sent& sent = sequence[place];
    if (sent.pause_ms > 0) fake.sleep_ms(sent.pause_ms);
    databases = databases || sent.name == "SELECT" || sent.name == "SWAPDB" || !sent.calls.empty();
    const bool by_client = sent.args[0] != "EVAL";
    How how = how_of(sent);
    if (how.comparison != Comparison::exact && !databases && is_in_order(fake, sent)) how.comparison = Comparison::exact;
    if (how.comparison == Comparison::drawn && sent.name.ends_with("EXPIRE") && by_client && !databases && is_certain(fake, sent)) {
      how.comparison = Comparison::exact;
    }
    if (miscounts(sent)) unsteady.insert(sent.connection);
    if (sent.name == "EXEC" && unsteady.count(sent.connection) != 0) loose.insert(sent.connection);
    Awaited& own = awaited[sent.connection];
    if (by_client && (sent.name == "DISCARD" || sent.name == "RESET")) own.queued.clear();
    own.replies.emplace_back(std::move(how), by_client && sent.name == "EXEC");
    fake.send(sent.connection, sent.args);
    for (auto& [connection, waits] : awaited) {
      while (auto frame = fake.take(connection)) {
        How of_frame = next_how(waits, *frame);
        const bool loosely = loose.count(connection) != 0;
        if (loosely || (any_pattern_first && frame->find("$8\r\npmessage\r\n") == kind_line)) of_frame = {Comparison::kind, {}};
        run.frames.push_back({connection, place, std::move(*frame), std::move(of_frame)});
      }
      if (!fake.is_blocked(connection)) waits.replies.clear();
    }
  }
  for (const auto& [connection, waits] : awaited) {
    run.leaves_blocked = run.leaves_blocked || fake.is_blocked(connection) || fake.closed(connection);
  }
  run.loosened = !loose.empty();
  run.not_simulated = fake.server().not_simulated();
  return run;
}

}  // namespace cohsim::fidelity
