// What a key can hold beside a string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "sim/valkey/ordered_map.h"
#include "sim/valkey/stream.h"

namespace cohsim::valkey {

/// How a real server would hold the value, as OBJECT ENCODING names it. It decides the order in which some types show
/// their members, and never goes back from a large form to a small one (t_hash.c, t_set.c, t_zset.c, t_list.c).
enum class Encoding : std::uint8_t { small, large };

enum class End : std::uint8_t { left, right };

/// Its items change by these functions only, which keep its size as the server counts it. Before items come,
/// `make_room` says how many bytes and items; when some have gone, `settle` lets a large list become a small one.
/// `listpack_size` is the configuration's list-max-listpack-size.
struct List {
  std::deque<std::string> items;
  std::size_t bytes = 0;                ///< of the items as a listpack would hold them
  Encoding encoding = Encoding::small;  ///< listpack or quicklist; servers without listpacks never show the first

  [[nodiscard]] bool empty() const { return items.empty(); }
  [[nodiscard]] std::size_t size() const { return items.size(); }
  [[nodiscard]] const std::string& at(End end) const { return end == End::left ? items.front() : items.back(); }
  void make_room(std::size_t more_bytes, std::size_t more_items, std::int64_t listpack_size);
  void settle(std::int64_t listpack_size);
  void push(End end, std::string_view item);
  std::string pop(End end);
  void insert(std::size_t place, std::string_view item);
  void set(std::size_t place, std::string_view item);
  void erase(std::size_t place, std::size_t count = 1);
  friend bool operator==(const List&, const List&) = default;
};

struct Hash {
  OrderedMap<std::string> fields;
  Encoding encoding = Encoding::small;  ///< listpack or hashtable
  [[nodiscard]] bool empty() const { return fields.empty(); }
  friend bool operator==(const Hash&, const Hash&) = default;
};

/// Members stand in order of insertion; an intset shows them by value.
struct Set {
  enum class Form : std::uint8_t { intset, listpack, hashtable };
  struct Nothing {
    friend bool operator==(const Nothing&, const Nothing&) = default;
  };
  OrderedMap<Nothing> members;
  Form form = Form::intset;
  [[nodiscard]] bool empty() const { return members.empty(); }
  friend bool operator==(const Set&, const Set&) = default;
};

struct SortedSet {
  std::map<std::string, double, std::less<>> scores;
  std::set<std::pair<double, std::string>> order;  ///< by score, then by bytes
  Encoding encoding = Encoding::small;             ///< listpack or skiplist
  [[nodiscard]] bool empty() const { return scores.empty(); }
  friend bool operator==(const SortedSet&, const SortedSet&) = default;
};

using Collection = std::variant<List, Set, SortedSet, Hash, Stream>;

}  // namespace cohsim::valkey
