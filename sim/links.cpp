// The links of the network: messages and what becomes of them. Connections are in network.cpp.
#include <algorithm>

#include "sim/network.h"

namespace cohsim {

std::uint64_t Network::post(Message message) {
  message.id = next_message_++;
  const std::uint64_t id = message.id;
  observer_.message_sent(message);
  if (cut(message.from, message.to) || cut(actor_server, message.to)) {
    observer_.message_dropped(message, DropCause::partition);
    return 0;
  }
  const Actor to = message.to;
  const NetworkFaults faults = faults_of(to, &message);
  if (choices_.chance(Site::message_drop, to, faults.message_drop)) {
    if (!defects_.drops_unnoted) observer_.message_dropped(message, DropCause::chance);
    return 0;
  }
  const bool twice = choices_.chance(Site::message_duplicate, to, faults.message_duplicate);
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
  const NetworkFaults faults = faults_of(message.to, &message);
  const DurationUs in_order = std::max(link.last_arrival + 1 - scheduler_.now(), latency);
  if (faults.message_delay) {
    latency = choices_.between(Site::message_delay, message.to, faults.message_delay_low_us,
                               faults.message_delay_high_us);
    observer_.message_delayed(message, latency);
  } else if (choices_.chance(Site::message_reorder, message.to, faults.message_reorder)) {
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
  const Message& message = flying_[slot].message;
  LinkState& link = links_[{message.to, message.lane}];
  const TimeUs goes_on = scheduler_.paused_until(message.to);
  if (goes_on <= scheduler_.now() && link.buffered.empty()) return take_message(slot);
  // A receiver that stands still finds it in its buffers when it goes on, in the order in which it came.
  link.buffered.push_back(slot);
  scheduler_.at(std::max(goes_on, scheduler_.now()), take_buffered_, static_cast<std::uint64_t>(message.to) << 8 | message.lane);
}

// One at a time: what a message does may make its receiver stand still again, or die.
void Network::take_buffered(std::uint64_t packed_link) {
  LinkState& link = links_[{static_cast<Actor>(packed_link >> 8), static_cast<std::uint8_t>(packed_link & 0xff)}];
  if (link.buffered.empty()) return;
  const TimeUs goes_on = scheduler_.paused_until(static_cast<Actor>(packed_link >> 8));
  if (goes_on <= scheduler_.now()) {
    const std::uint64_t slot = link.buffered.front();
    link.buffered.pop_front();
    take_message(slot);
  }
  if (!link.buffered.empty()) scheduler_.at(std::max(goes_on, scheduler_.now()), take_buffered_, packed_link);
}

void Network::take_message(std::uint64_t slot) {
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
