// What oracles share: their own reading of versions and messages, and bookkeeping by name, journal, fiber and request.
// Nothing here calls the code that oracles judge.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "model/events.h"
#include "model/world_view.h"

namespace cohsim::oracles {

inline constexpr std::size_t version_size = 14;

/// Bytes 4..14, as far as they are there.
[[nodiscard]] std::string_view payload_of(std::string_view version);
/// The snowflake number behind bytes 4..14; nullopt where they are not eleven Base62 digits of at most 2^63-1.
[[nodiscard]] std::optional<std::uint64_t> number_of(std::string_view version);
/// By number; where either has none, by the bytes of the payload. Equal is not newer.
[[nodiscard]] bool is_newer(std::string_view a, std::string_view b);
[[nodiscard]] inline bool same_payload(std::string_view a, std::string_view b) {
  return payload_of(a) == payload_of(b);
}
/// Three of A-Z and a number: a branded id.
[[nodiscard]] bool is_branded_id(std::string_view bytes);

struct ReadMessage {
  std::string_view id, version;
};
/// Own reading of the 29 bytes; nullopt: malformed.
[[nodiscard]] std::optional<ReadMessage> read_message(std::string_view bytes);

/// A version for a sentence, with its number; bytes that are none are quoted and escaped.
[[nodiscard]] std::string show(std::string_view version);
[[nodiscard]] inline std::string show(const std::string& version) { return show(std::string_view(version)); }
[[nodiscard]] std::string show(const std::optional<std::string_view>& version);
/// Any bytes, quoted, escaped and cut after 64.
[[nodiscard]] std::string quote(std::string_view bytes);

/// A name at a node. Views for looking up; the map below owns its keys.
struct NameView {
  Actor node;
  std::uint16_t table;
  std::string_view id;
};
struct NameKey {
  Actor node;
  std::uint16_t table;
  std::string id;
};
struct NameLess {
  using is_transparent = void;
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    if (a.node != b.node) return a.node < b.node;
    if (a.table != b.table) return a.table < b.table;
    return std::string_view(a.id) < std::string_view(b.id);
  }
};

/// One T a name and node (node 0: the world's own), in a fixed order.
template <class T>
class ByName {
 public:
  T* find(const NameView& name) {
    const auto found = map_.find(name);
    return found == map_.end() ? nullptr : &found->second;
  }
  const T* find(const NameView& name) const {
    const auto found = map_.find(name);
    return found == map_.end() ? nullptr : &found->second;
  }
  T& operator[](const NameView& name) {
    const auto found = map_.lower_bound(name);
    if (found != map_.end() && !NameLess{}(name, found->first)) return found->second;
    return map_.emplace_hint(found, NameKey{name.node, name.table, std::string(name.id)}, T{})->second;
  }
  void erase(const NameView& name) {
    const auto found = map_.find(name);
    if (found != map_.end()) map_.erase(found);
  }
  void erase_node(Actor node) {
    map_.erase(map_.lower_bound(NameView{node, 0, {}}), map_.lower_bound(NameView{static_cast<Actor>(node + 1), 0, {}}));
  }
  void erase_table(Actor node, std::uint16_t table) {
    const auto from = map_.lower_bound(NameView{node, table, {}});
    auto to = from;
    while (to != map_.end() && to->first.node == node && to->first.table == table) ++to;
    map_.erase(from, to);
  }
  void clear() { map_.clear(); }
  [[nodiscard]] bool empty() const { return map_.empty(); }
  [[nodiscard]] std::size_t size() const { return map_.size(); }
  auto begin() { return map_.begin(); }
  auto end() { return map_.end(); }

 private:
  std::map<NameKey, T, NameLess> map_;
};

template <class Event>
[[nodiscard]] NameView name_at(const Event& event) {
  return {event.node, event.table.index, event.id};
}

/// A fiber as a key: ids never come back to life.
using FiberKey = std::uint64_t;
[[nodiscard]] inline FiberKey fiber_key(const When& when) {
  return std::uint64_t{when.fiber.generation} << 32 | when.fiber.index;
}

/// One journal of the world.
using JournalKey = std::uint32_t;
[[nodiscard]] inline JournalKey journal_key(Actor node, std::uint16_t table) {
  return std::uint32_t{node} << 16 | table;
}

/// The `applied` memory of every journal, from the events. Two readings of it: what was acknowledged, and what may stand
/// there at most because it was handed to the disk.
class AppliedMemory {
 public:
  void on(const event::JournalAttempted& event);
  void on(const event::JournalCommitted& event);
  void on(const event::JournalFailed& event);
  void on(const event::JournalRecovered& event);
  /// Null: nothing acknowledged.
  [[nodiscard]] const std::string* acknowledged(const NameView& name) const;
  [[nodiscard]] const std::string* attempted(const NameView& name) const;

 private:
  struct Memory {
    std::string acknowledged, attempted;  // empty: none
  };
  struct Pending {
    std::uint64_t transaction;
    std::string id, version;
  };
  ByName<Memory> memory_;
  std::map<JournalKey, std::vector<Pending>> pending_;
};

/// Finds out which row writes at the server a marked request caused, by the step in which it alone ran.
class RequestEffects {
 public:
  struct Effect {
    When when;
    std::uint64_t tag;
    std::string key, before, after;  // empty: absent
    std::string id;
    TableRef table;
  };
  void mark(std::uint64_t request, std::uint64_t tag) { marked_[request] = tag; }
  [[nodiscard]] bool watching() const { return !marked_.empty() || tag_ != 0; }
  void ran(const When& when, std::uint64_t request);
  void row(const When& when, const event::RowChanged& event);
  /// Effects of steps that are over (`when` lies in a later one).
  std::vector<Effect> take(const When& when);
  std::vector<Effect> take_all();

 private:
  void close_step();
  std::map<std::uint64_t, std::uint64_t> marked_;
  std::uint64_t step_ = 0, tag_ = 0, requests_ = 0;
  std::vector<Effect> open_, closed_;
};

}  // namespace cohsim::oracles
