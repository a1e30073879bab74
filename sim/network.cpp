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

// Connections ----------------------------------------------------------------------------------------------------------

ConnectionId Network::open(Actor client) {
  Connection& connection = connections_.emplace_back();
  connection.client = client;
  return static_cast<ConnectionId>(connections_.size() - 1);
}

Task<Answer> Network::call(ConnectionId id, std::unique_ptr<Request> request) {
  Connection& connection = connections_[id];
  if (!connection.up) co_return nullptr;
  request->id = next_request_++;
  observer_.request_sent(id, connection.epoch, request->id);
  Answer answer;
  connection.waiting.push_back({scheduler_.waker(), request->id, &answer});
  Fate fate = Fate::calm;
  if (choices_.chance(Site::connection_reset, connection.client, faults_.connection_reset)) {
    fate = static_cast<Fate>(1 + choices_.choose(Site::reset_outcome, connection.client, 3));
  }
  if (connection.stalled || cut(connection.client, actor_server)) {
    stall(id);
  } else {
    send(id, std::move(request), fate);
  }
  co_await scheduler_.park();
  co_return std::move(answer);
}

void Network::send(ConnectionId id, std::unique_ptr<Request> request, Fate fate) {
  Connection& connection = connections_[id];
  std::uint64_t slot;
  if (free_requests_.empty()) {
    slot = under_way_.size();
    under_way_.emplace_back();
  } else {
    slot = free_requests_.back();
    free_requests_.pop_back();
  }
  under_way_[slot] = {id, connection.epoch, fate, true, false, std::move(request)};
  const DurationUs latency =
      choices_.between(Site::request_latency, connection.client, latency_low_us, latency_high_us);
  connection.last_arrival = std::max(connection.last_arrival + 1, scheduler_.now() + latency);
  scheduler_.at(connection.last_arrival, request_arrives_, slot);
}

void Network::release_slot(std::uint64_t slot) {
  under_way_[slot].busy = false;
  under_way_[slot].request.reset();
  free_requests_.push_back(slot);
}

void Network::request_arrives(std::uint64_t slot) {
  const ConnectionId id = under_way_[slot].connection;
  const std::uint32_t epoch = under_way_[slot].epoch;
  const Fate fate = under_way_[slot].fate;
  if (fate == Fate::never_runs) {
    release_slot(slot);
    if (connections_[id].epoch == epoch) break_connection(id, "reset");
    return;
  }
  if (fate == Fate::runs_late && connections_[id].epoch == epoch) {
    // The client sees the break now; the bytes are on their way all the same.
    under_way_[slot].decided = true;
    under_way_[slot].fate = Fate::reply_lost;
    break_connection(id, "reset");
    const DurationUs late = choices_.between(Site::request_latency, connections_[id].client, 1, late_high_us);
    scheduler_.at(scheduler_.now() + late, request_arrives_, slot);
    return;
  }
  const bool late = connections_[id].epoch != epoch;
  under_way_[slot].decided = true;
  observer_.request_ran(id, epoch, under_way_[slot].request->id, late);
  // Out of the pool while it runs: the pool may grow, and a restart of the server may break this very connection.
  std::unique_ptr<Request> request = std::move(under_way_[slot].request);
  request->run();
  under_way_[slot].request = std::move(request);
  if (connections_[id].epoch != epoch) {
    release_slot(slot);
  } else if (fate == Fate::reply_lost) {
    release_slot(slot);
    break_connection(id, "reset");
  } else {
    schedule_reply(slot);
  }
}

void Network::schedule_reply(std::uint64_t slot) {
  const ConnectionId id = under_way_[slot].connection;
  Connection& connection = connections_[id];
  if (connection.stalled || cut(actor_server, connection.client)) {
    release_slot(slot);
    stall(id);
    return;
  }
  const DurationUs latency = choices_.between(Site::reply_latency, connection.client, latency_low_us, latency_high_us);
  connection.last_reply = std::max(connection.last_reply + 1, scheduler_.now() + latency);
  scheduler_.at(connection.last_reply, reply_arrives_, slot);
}

void Network::reply_arrives(std::uint64_t slot) {
  Connection& connection = connections_[under_way_[slot].connection];
  if (connection.epoch == under_way_[slot].epoch && !connection.waiting.empty()) {
    // Paired by position, as a stream is; the observer gets to know both sides.
    const Waiting waiting = connection.waiting.front();
    connection.waiting.pop_front();
    observer_.reply_used(under_way_[slot].connection, connection.epoch, waiting.request, under_way_[slot].request->id);
    if (scheduler_.alive(waiting.waker.fiber)) {
      *waiting.answer = std::move(under_way_[slot].request);
      scheduler_.wake(waiting.waker);
    }
  }
  release_slot(slot);
}

void Network::stall(ConnectionId id) {
  Connection& connection = connections_[id];
  if (connection.stalled) return;
  connection.stalled = true;
  scheduler_.at(scheduler_.now() + timeout_us, times_out_, static_cast<std::uint64_t>(id) << 32 | connection.epoch);
}

void Network::times_out(std::uint64_t packed) {
  const auto id = static_cast<ConnectionId>(packed >> 32);
  if (connections_[id].epoch == static_cast<std::uint32_t>(packed)) break_connection(id, "timeout");
}

void Network::decide_in_flight(ConnectionId id, std::uint32_t epoch) {
  for (UnderWay& other : under_way_) {
    if (!other.busy || other.decided || other.connection != id || other.epoch != epoch) continue;
    const bool runs = choices_.choose(Site::broken_in_flight, connections_[id].client, 2) == 1;
    other.fate = runs ? Fate::reply_lost : Fate::never_runs;
  }
}

void Network::break_connection(ConnectionId id, std::string_view why) {
  Connection& connection = connections_[id];
  if (!connection.up) return;
  connection.up = false;
  connection.stalled = false;
  const std::uint32_t epoch = connection.epoch++;
  observer_.connection_broke(id, epoch, why);
  decide_in_flight(id, epoch);
  for (const Waiting& waiting : connection.waiting) scheduler_.wake(waiting.waker);  // their answer stays null
  connection.waiting.clear();
  if (connection.closed) return;
  const DurationUs delay =
      choices_.between(Site::reconnect_delay, connection.client, reconnect_low_us, reconnect_high_us);
  scheduler_.at(scheduler_.now() + delay, comes_up_, id);
}

void Network::comes_up(std::uint64_t id) {
  Connection& connection = connections_[id];
  if (connection.closed || connection.up) return;
  if (cut(connection.client, actor_server) || cut(actor_server, connection.client)) {
    scheduler_.at(scheduler_.now() + reconnect_high_us, comes_up_, id);
    return;
  }
  connection.up = true;
  observer_.connection_up(static_cast<ConnectionId>(id), connection.epoch);
  if (on_up) on_up(static_cast<ConnectionId>(id));
}

void Network::close_all_of(Actor client) {
  for (ConnectionId id = 0; id < connections_.size(); ++id) {
    if (connections_[id].client != client || connections_[id].closed) continue;
    connections_[id].closed = true;
    break_connection(id, "node died");
  }
}

void Network::break_all(std::string_view why) {
  for (ConnectionId id = 0; id < connections_.size(); ++id) {
    if (!connections_[id].closed) break_connection(id, why);
  }
}

// Messages -------------------------------------------------------------------------------------------------------------

std::uint64_t Network::post(Message message) {
  message.id = next_message_++;
  const std::uint64_t id = message.id;
  observer_.message_sent(message);
  if (cut(message.from, message.to) || cut(actor_server, message.to)) {
    observer_.message_dropped(message, DropCause::partition);
    return 0;
  }
  const Actor to = message.to;
  if (choices_.chance(Site::message_drop, to, faults_.message_drop)) {
    observer_.message_dropped(message, DropCause::chance);
    return 0;
  }
  const bool twice = choices_.chance(Site::message_duplicate, to, faults_.message_duplicate);
  std::optional<Message> copy;
  if (twice) {
    copy = message;
    copy->id = next_message_++;
    copy->copy_of = id;
    observer_.message_duplicated(message, *copy);
  }
  launch(std::move(message));
  if (copy) launch(std::move(*copy));
  return id;
}

void Network::post_lost(Message message, DropCause cause) {
  message.id = next_message_++;
  observer_.message_sent(message);
  observer_.message_dropped(message, cause);
}

bool Network::rule_holds(const Message& message) const {
  return std::any_of(rules_.begin(), rules_.end(), [&](const auto& rule) { return rule.second(message); });
}

void Network::launch(Message message) {
  LinkState& link = links_[{message.to, message.lane}];
  const std::uint64_t order = ++link.posted;
  if (rule_holds(message)) {
    observer_.message_held(message);
    held_.push_back({std::move(message), order});
    return;
  }
  DurationUs latency = choices_.between(Site::message_latency, message.to, latency_low_us, latency_high_us);
  const DurationUs in_order = std::max(link.last_arrival + 1 - scheduler_.now(), latency);
  if (faults_.message_delay) {
    latency = choices_.between(Site::message_delay, message.to, faults_.message_delay_low_us,
                               faults_.message_delay_high_us);
    observer_.message_delayed(message, latency);
  } else if (choices_.chance(Site::message_reorder, message.to, faults_.message_reorder)) {
    latency += choices_.between(Site::message_delay, message.to, 1, reorder_high_us);
    observer_.message_delayed(message, latency);
  } else {
    latency = in_order;
    link.last_arrival = scheduler_.now() + latency;
  }
  fly(std::move(message), order, scheduler_.now() + latency);
}

void Network::fly(Message message, std::uint64_t order, TimeUs when) {
  std::uint64_t slot;
  if (free_flying_.empty()) {
    slot = flying_.size();
    flying_.emplace_back();
  } else {
    slot = free_flying_.back();
    free_flying_.pop_back();
  }
  flying_[slot] = {std::move(message), order, true};
  scheduler_.at(when, message_arrives_, slot);
}

void Network::message_arrives(std::uint64_t slot) {
  // The slot stays taken until its event has run, also when the message was held or discarded meanwhile.
  const bool still_flies = flying_[slot].busy;
  const Message message = std::move(flying_[slot].message);
  const std::uint64_t order = flying_[slot].order;
  flying_[slot].busy = false;
  free_flying_.push_back(slot);
  if (still_flies) arrive(message, order);
}

void Network::arrive(const Message& message, std::uint64_t order) {
  if (const auto cause = sink_.refusal(message)) {
    observer_.message_dropped(message, *cause);
    return;
  }
  LinkState& link = links_[{message.to, message.lane}];
  const bool overtook = order > link.highest_arrived + 1;  // some that were posted before it are still under way
  link.highest_arrived = std::max(link.highest_arrived, order);
  observer_.message_delivered(message, overtook);
  sink_.deliver(message);
}

void Network::hold(const std::string& rule, Filter filter) {
  for (Flying& flying : flying_) {
    if (!flying.busy || !filter(flying.message)) continue;
    flying.busy = false;
    observer_.message_held(flying.message);
    held_.push_back({std::move(flying.message), flying.order});
  }
  rules_.emplace_back(rule, std::move(filter));
}

std::size_t Network::release(const std::string& rule, const Filter& filter) {
  std::erase_if(rules_, [&](const auto& known) { return rule.empty() || known.first == rule; });
  std::deque<Held> stay;
  std::size_t count = 0;
  TimeUs when = scheduler_.now();
  for (Held& held : held_) {
    if (!filter(held.message)) {
      stay.push_back(std::move(held));
      continue;
    }
    ++count;
    fly(std::move(held.message), held.order, ++when);  // one behind the other: in order
  }
  held_ = std::move(stay);
  return count;
}

std::size_t Network::discard(const Filter& filter) {
  std::size_t count = 0;
  for (Flying& flying : flying_) {
    if (!flying.busy || !filter(flying.message)) continue;
    flying.busy = false;
    ++count;
    observer_.message_dropped(flying.message, DropCause::discarded);
  }
  std::deque<Held> stay;
  for (Held& held : held_) {
    if (!filter(held.message)) {
      stay.push_back(std::move(held));
      continue;
    }
    ++count;
    observer_.message_dropped(held.message, DropCause::discarded);
  }
  held_ = std::move(stay);
  return count;
}

std::size_t Network::duplicate(const Filter& filter) {
  std::vector<Message> copies;
  const auto copy = [&](const Message& message) {
    if (!filter(message)) return;
    Message twin = message;
    twin.id = next_message_++;
    twin.copy_of = message.id;
    observer_.message_duplicated(message, twin);
    copies.push_back(std::move(twin));
  };
  for (const Message* message : messages()) copy(*message);
  const std::size_t count = copies.size();
  for (Message& twin : copies) launch(std::move(twin));
  return count;
}

std::size_t Network::in_flight() const {
  return static_cast<std::size_t>(std::count_if(flying_.begin(), flying_.end(), [](const Flying& f) { return f.busy; }));
}

std::vector<const Message*> Network::messages() const {
  std::vector<const Message*> all;
  for (const Flying& flying : flying_) {
    if (flying.busy) all.push_back(&flying.message);
  }
  for (const Held& held : held_) all.push_back(&held.message);
  std::sort(all.begin(), all.end(), [](const Message* a, const Message* b) { return a->id < b->id; });
  return all;
}

}  // namespace cohsim
