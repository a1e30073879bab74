// The connections of the network. Its links are in links.cpp.
#include "sim/network.h"

#include <algorithm>

namespace cohsim {

std::string_view name_of(DropCause cause) {
  switch (cause) {
    case DropCause::chance: return "chance";
    case DropCause::partition: return "partition";
    case DropCause::away: return "away";
    case DropCause::discarded: return "discarded";
    case DropCause::node_down: return "node_down";
    case DropCause::ring_full: return "ring_full";
  }
  return "?";
}

Network::Network(Scheduler& scheduler, Choices& choices, NetworkObserver& observer, MessageSink& sink)
    : scheduler_(scheduler), choices_(choices), observer_(observer), sink_(sink) {}

ConnectionId Network::open(Actor client) {
  const ConnectionId id = next_connection_++;
  connections_[id].client = client;
  return id;
}

Task<Answer> Network::call(ConnectionId id, std::unique_ptr<Request> request) {
  if (!up(id)) co_return nullptr;
  Connection& connection = connections_.at(id);
  request->id = next_request_++;
  request->epoch = connection.epoch;
  observer_.request_sent(id, connection.epoch, request->id);
  Answer answer;
  connection.waiting.push_back({scheduler_.waker(), request->id, &answer});
  const Fate fate = draw_fate(connection.client);
  if (connection.stalled || cut(connection.client, actor_server)) {
    stall(id);
  } else {
    send(id, std::move(request), fate);
  }
  co_await scheduler_.park();
  co_return std::move(answer);
}

Network::Fate Network::draw_fate(Actor client) {
  if (reset_next_[client] != 0) return static_cast<Fate>(std::exchange(reset_next_[client], std::uint8_t{0}));
  if (!choices_.chance(Site::connection_reset, client, faults_of(client, nullptr).connection_reset)) return Fate::calm;
  return static_cast<Fate>(1 + choices_.choose(Site::reset_outcome, client, 3));
}

void Network::send(ConnectionId id, std::unique_ptr<Request> request, Fate fate) {
  Connection& connection = connections_.at(id);
  std::uint64_t slot;
  if (free_requests_.empty()) {
    slot = under_way_.size();
    under_way_.emplace_back();
  } else {
    slot = free_requests_.back();
    free_requests_.pop_back();
  }
  under_way_[slot] = {id, connection.epoch, fate, true, false, 0, std::move(request)};
  ++connection.under_way;
  const DurationUs latency =
      choices_.between(Site::request_latency, connection.client, latency_low_us, latency_high_us);
  connection.last_arrival = std::max(connection.last_arrival + 1, scheduler_.now() + latency);
  scheduler_.at(connection.last_arrival, request_arrives_, slot);
}

void Network::release_slot(std::uint64_t slot) {
  under_way_[slot].busy = false;
  under_way_[slot].request.reset();
  free_requests_.push_back(slot);
  const ConnectionId id = under_way_[slot].connection;
  --connections_.at(id).under_way;
  forget_if_done(id);
}

void Network::forget_if_done(ConnectionId id) {
  const auto found = connections_.find(id);
  if (found->second.closed && found->second.under_way == 0) connections_.erase(found);
}

void Network::request_arrives(std::uint64_t slot) {
  if (scheduler_.now() < under_way_[slot].earliest) {
    scheduler_.at(under_way_[slot].earliest, request_arrives_, slot);
    return;
  }
  if (scheduler_.now() >= server_free_ && waiting_at_server_.empty()) return request_meets_server(slot);
  if (waiting_at_server_.empty()) scheduler_.at(std::min(server_free_, scheduler_.now() + timeout_us), serve_waiting_, 0);
  waiting_at_server_.push_back(slot);
  expect_answer(slot);
}

void Network::request_meets_server(std::uint64_t slot) {
  const ConnectionId id = under_way_[slot].connection;
  const std::uint32_t epoch = under_way_[slot].epoch;
  const Fate fate = under_way_[slot].fate;
  const bool late = connections_.at(id).epoch != epoch;
  if (fate == Fate::never_runs) {
    // What stands behind it in the stream cannot run without it.
    under_way_[slot].decided = true;
    if (!late) take_down(id, "reset", false, 0);
    release_slot(slot);
    return;
  }
  if (fate == Fate::runs_late && !late) {
    // The client sees the break now; the bytes are on their way all the same, and the rest of the stream behind them.
    under_way_[slot].decided = true;
    under_way_[slot].fate = Fate::reply_lost;
    const DurationUs by = choices_.between(Site::request_latency, connections_.at(id).client, 1, late_high_us);
    take_down(id, "reset", true, scheduler_.now() + by);
    scheduler_.at(scheduler_.now() + by, request_arrives_, slot);
    return;
  }
  under_way_[slot].decided = true;
  observer_.request_ran(id, epoch, under_way_[slot].request->id, late);
  // Out of the pool while it runs: the pool may grow, and a restart of the server may break this very connection.
  std::unique_ptr<Request> request = std::move(under_way_[slot].request);
  request->run();
  under_way_[slot].request = std::move(request);
  if (connections_.at(id).epoch == epoch && fate != Fate::reply_lost) {
    schedule_reply(slot);
    return;
  }
  if (connections_.at(id).epoch == epoch) break_connection(id, "reset");
  release_slot(slot);
}

void Network::schedule_reply(std::uint64_t slot) {
  const ConnectionId id = under_way_[slot].connection;
  Connection& connection = connections_.at(id);
  if (connection.stalled || cut(actor_server, connection.client)) {
    stall(id);
    release_slot(slot);
    return;
  }
  const DurationUs latency = choices_.between(Site::reply_latency, connection.client, latency_low_us, latency_high_us);
  const TimeUs leaves = std::max(scheduler_.now(), server_free_);
  if (leaves > scheduler_.now()) expect_answer(slot);
  connection.last_reply = std::max(connection.last_reply + 1, leaves + latency);
  scheduler_.at(connection.last_reply, reply_arrives_, slot);
}

void Network::reply_arrives(std::uint64_t slot) {
  Connection& connection = connections_.at(under_way_[slot].connection);
  if (connection.epoch == under_way_[slot].epoch && !connection.waiting.empty()) {
    // Paired by position, as a stream is; the observer gets to know both sides.
    const bool last = defects_.reply_to_last_waiter;
    const Waiting waiting = last ? connection.waiting.back() : connection.waiting.front();
    if (last) {
      connection.waiting.pop_back();
    } else {
      connection.waiting.pop_front();
    }
    observer_.reply_used(under_way_[slot].connection, connection.epoch, waiting.request, under_way_[slot].request->id);
    if (scheduler_.alive(waiting.waker.fiber)) {
      *waiting.answer = std::move(under_way_[slot].request);
      scheduler_.wake(waiting.waker);
    }
  }
  release_slot(slot);
}

void Network::hold_server(TimeUs when) {
  server_free_ = when;
  if (!waiting_at_server_.empty()) scheduler_.at(scheduler_.now(), serve_waiting_, 0);
}

// One at a time, so that what a request does to the server holds for the next. While it is held it is looked after in
// short hops: nothing of a hold that ends early stays behind for long.
void Network::serve_waiting(std::uint64_t) {
  if (waiting_at_server_.empty()) return;
  const TimeUs now = scheduler_.now();
  if (now >= server_free_) {
    const std::uint64_t slot = waiting_at_server_.front();
    waiting_at_server_.pop_front();
    request_meets_server(slot);
  }
  scheduler_.at(std::max(now + 1, std::min(server_free_, now + timeout_us)), serve_waiting_, 0);
}

// The low half of a request's number says which: no run has four thousand million of them under way.
void Network::expect_answer(std::uint64_t slot) {
  const UnderWay& waits = under_way_[slot];
  if (connections_.at(waits.connection).epoch != waits.epoch) return;
  const std::uint64_t packed = static_cast<std::uint64_t>(waits.connection) << 32 | (waits.request->id & 0xffffffff);
  scheduler_.at(scheduler_.now() + timeout_us, overdue_, packed);
}

void Network::overdue(std::uint64_t packed) {
  const auto id = static_cast<ConnectionId>(packed >> 32);
  if (!up(id)) return;
  for (const Waiting& waiting : connections_.at(id).waiting) {
    if ((waiting.request & 0xffffffff) == (packed & 0xffffffff)) return break_connection(id, "timeout");
  }
}

void Network::stall(ConnectionId id) {
  Connection& connection = connections_.at(id);
  if (connection.stalled) return;
  connection.stalled = true;
  scheduler_.at(scheduler_.now() + timeout_us, times_out_, static_cast<std::uint64_t>(id) << 32 | connection.epoch);
}

void Network::times_out(std::uint64_t packed) {
  const auto id = static_cast<ConnectionId>(packed >> 32);
  if (up(id) && epoch(id) == static_cast<std::uint32_t>(packed)) break_connection(id, "timeout");
}

// Of what is under way, those that run are a prefix of the stream, and run in its order.
void Network::decide_in_flight(ConnectionId id, std::uint32_t epoch, bool may_run, TimeUs earliest) {
  std::vector<UnderWay*> behind;
  for (UnderWay& other : under_way_) {
    if (other.busy && !other.decided && other.connection == id && other.epoch == epoch) behind.push_back(&other);
  }
  std::sort(behind.begin(), behind.end(),
            [](const UnderWay* a, const UnderWay* b) { return a->request->id < b->request->id; });
  bool runs = may_run;
  for (UnderWay* other : behind) {
    runs = runs && choices_.choose(Site::broken_in_flight, connections_.at(id).client, 2) == 1;
    other->fate = runs ? Fate::reply_lost : Fate::never_runs;
    other->decided = true;
    if (earliest != 0) other->earliest = ++earliest;
  }
}

void Network::break_connection(ConnectionId id, std::string_view why) { take_down(id, why, true, 0); }

void Network::cut_off(ConnectionId id, DurationUs span, std::string_view why) {
  if (connections_.find(id) == connections_.end()) return;
  connections_.at(id).away_until = std::max(connections_.at(id).away_until, scheduler_.now() + span);
  break_connection(id, why);
}

void Network::take_down(ConnectionId id, std::string_view why, bool rest_may_run, TimeUs earliest) {
  Connection& connection = connections_.at(id);
  if (!connection.up) return;
  connection.up = false;
  connection.stalled = false;
  const std::uint32_t epoch = connection.epoch++;
  observer_.connection_broke(id, epoch, why);
  decide_in_flight(id, epoch, rest_may_run, earliest);
  for (const Waiting& waiting : connection.waiting) scheduler_.wake(waiting.waker);  // their answer stays null
  connection.waiting.clear();
  if (connection.closed) return;
  const DurationUs delay =
      choices_.between(Site::reconnect_delay, connection.client, reconnect_low_us, reconnect_high_us);
  scheduler_.at(scheduler_.now() + delay, comes_up_, id);
}

void Network::comes_up(std::uint64_t argument) {
  const auto id = static_cast<ConnectionId>(argument);
  const auto found = connections_.find(id);
  if (found == connections_.end() || found->second.closed || found->second.up) return;
  Connection& connection = found->second;
  if (scheduler_.now() < connection.away_until) {
    scheduler_.at(connection.away_until, comes_up_, id);
    return;
  }
  if (cut(connection.client, actor_server) || cut(actor_server, connection.client)) {
    scheduler_.at(scheduler_.now() + reconnect_high_us, comes_up_, id);
    return;
  }
  connection.up = true;
  observer_.connection_up(id, connection.epoch);
  if (on_up) on_up(id);
}

void Network::close_all_of(Actor client) {
  std::vector<ConnectionId> theirs;
  for (const auto& [id, connection] : connections_) {
    if (connection.client == client && !connection.closed) theirs.push_back(id);
  }
  for (const ConnectionId id : theirs) {
    connections_.at(id).closed = true;
    break_connection(id, "node died");
    forget_if_done(id);
  }
}

void Network::break_all(std::string_view why) {
  for (auto& [id, connection] : connections_) {
    if (!connection.closed) take_down(id, why, false, 0);
  }
  for (UnderWay& other : under_way_) {
    if (other.busy) other.fate = Fate::never_runs;
  }
}

}  // namespace cohsim
