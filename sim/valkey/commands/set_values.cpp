#include "sim/valkey/commands/set_values.h"

#include <algorithm>

#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

namespace {

std::uint64_t unsigned_of(std::int64_t limit) { return static_cast<std::uint64_t>(limit); }

/// What is no set of integers any more shows its members in the order that they had, new ones behind them.
void leave_intset(Set& set, Set::Form form) {
  OrderedMap<Set::Nothing> ordered;
  for (const std::string_view member : members_of(set)) ordered.set(member, {});
  set.members = std::move(ordered);
  set.form = form;
}

/// Before `member` is added, which is new.
void make_room(Set& set, std::string_view member, const FormLimits& limits) {
  const bool packs = limits.has_set_listpack && set.members.size() < unsigned_of(limits.set_entries) &&
                     member.size() <= unsigned_of(limits.set_value);
  if (set.form == Set::Form::intset && !read_integer(member)) {
    leave_intset(set, packs ? Set::Form::listpack : Set::Form::hashtable);
  } else if (set.form == Set::Form::intset && set.members.size() >= unsigned_of(limits.intset_entries)) {
    leave_intset(set, Set::Form::hashtable);
  } else if (set.form == Set::Form::listpack && !packs) {
    set.form = Set::Form::hashtable;
  }
}

}  // namespace

void begin_set(Set& set, std::string_view first, std::size_t announced, const FormLimits& limits) {
  if (!set.empty()) return;
  const bool counts = limits.has_set_listpack;
  if (read_integer(first) && (!counts || announced <= unsigned_of(limits.intset_entries))) {
    set.form = Set::Form::intset;
  } else if (counts && announced <= unsigned_of(limits.set_entries)) {
    set.form = Set::Form::listpack;
  } else {
    set.form = Set::Form::hashtable;
  }
}

bool add_member(Set& set, std::string_view member, const FormLimits& limits) {
  if (set.members.contains(member)) return false;
  make_room(set, member, limits);
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
