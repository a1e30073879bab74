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
  connection.last_reply = std::max(connection.last_reply + 1, scheduler_.now() + latency);
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
    if (!defects_.drops_unnoted) observer_.message_dropped(message, DropCause::chance);
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
  link.under_way.insert(order);
  if (rule_holds(message)) {
    observer_.message_held(message);
    held_.push_back({std::move(message), order, true});
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
  LinkState& link = links_[{message.to, message.lane}];
  link.under_way.erase(order);
  if (const auto cause = sink_.refusal(message)) {
    observer_.message_dropped(message, *cause);
    return;
  }
  const bool overtook = !link.under_way.empty() && *link.under_way.begin() < order;
  observer_.message_delivered(message, overtook);
  sink_.deliver(message);
}

void Network::hold(const std::string& rule, Filter filter) {
  for (Flying& flying : flying_) {
    if (!flying.busy || !filter(flying.message)) continue;
    flying.busy = false;
    held_.push_back({std::move(flying.message), flying.order, false});
  }
  // In the order of posting, whatever slots they had.
  std::sort(held_.begin(), held_.end(), [](const Held& a, const Held& b) { return a.message.id < b.message.id; });
  for (Held& held : held_) {
    if (!std::exchange(held.noted, true)) observer_.message_held(held.message);
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
    ++when;  // one behind the other: in order, and before whatever is posted from now on
    LinkState& link = links_[{held.message.to, held.message.lane}];
    link.last_arrival = std::max(link.last_arrival, when);
    fly(std::move(held.message), held.order, when);
  }
  held_ = std::move(stay);
  return count;
}

std::size_t Network::discard(const Filter& filter) {
  std::size_t count = 0;
  const auto drop = [&](const Message& message, std::uint64_t order) {
    ++count;
    links_[{message.to, message.lane}].under_way.erase(order);
    observer_.message_dropped(message, DropCause::discarded);
  };
  for (Flying& flying : flying_) {
    if (!flying.busy || !filter(flying.message)) continue;
    flying.busy = false;
    drop(flying.message, flying.order);
  }
  std::deque<Held> stay;
  for (Held& held : held_) {
    if (filter(held.message)) {
      drop(held.message, held.order);
    } else {
      stay.push_back(std::move(held));
    }
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
