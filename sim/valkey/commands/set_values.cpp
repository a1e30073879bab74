#include "sim/valkey/commands/set_values.h"

#include <algorithm>

#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

namespace {

constexpr std::size_t intset_entries_max = 512;
constexpr std::size_t listpack_entries_max = 128;
constexpr std::size_t listpack_value_max = 64;

/// What is no set of integers any more shows its members in the order that they had, new ones behind them.
void leave_intset(Set& set, Set::Form form) {
  OrderedMap<Set::Nothing> ordered;
  for (const std::string_view member : members_of(set)) ordered.set(member, {});
  set.members = std::move(ordered);
  set.form = form;
}

/// Before `member` is added, which is new.
void make_room(Set& set, std::string_view member, const Personality& personality) {
  const bool packs = personality.has_set_listpack && set.members.size() < listpack_entries_max &&
                     member.size() <= listpack_value_max;
  if (set.form == Set::Form::intset && !read_integer(member)) {
    leave_intset(set, packs ? Set::Form::listpack : Set::Form::hashtable);
  } else if (set.form == Set::Form::intset && set.members.size() >= intset_entries_max) {
    leave_intset(set, Set::Form::hashtable);
  } else if (set.form == Set::Form::listpack && !packs) {
    set.form = Set::Form::hashtable;
  }
}

}  // namespace

void begin_set(Set& set, std::string_view first, std::size_t announced, const Personality& personality) {
  if (!set.empty()) return;
  const bool counts = personality.has_set_listpack;
  if (read_integer(first) && (!counts || announced <= intset_entries_max)) {
    set.form = Set::Form::intset;
  } else if (counts && announced <= listpack_entries_max) {
    set.form = Set::Form::listpack;
  } else {
    set.form = Set::Form::hashtable;
  }
}

bool add_member(Set& set, std::string_view member, const Personality& personality) {
  if (set.members.contains(member)) return false;
  make_room(set, member, personality);
  return set.members.set(member, {});
}

std::vector<std::string_view> members_of(const Set& set) {
  std::vector<std::string_view> members;
  members.reserve(set.members.size());
  for (const auto& entry : set.members) members.emplace_back(entry.key);
  if (set.form == Set::Form::intset) {
    std::sort(members.begin(), members.end(),
              [](std::string_view one, std::string_view other) { return *read_integer(one) < *read_integer(other); });
  }
  return members;
}

}  // namespace cohsim::valkey
