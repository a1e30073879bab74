// One set: members added, removed, looked up, moved, or picked by chance (t_set.c).
#include <algorithm>
#include <array>
#include <limits>

#include "sim/valkey/arguments.h"
#include "sim/valkey/commands/chance.h"
#include "sim/valkey/commands/set_algebra.h"
#include "sim/valkey/commands/set_values.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

void run_sadd(CommandCall& call) {
  const Set* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  const std::span<const std::string_view> members = call.args.subspan(2);
  const auto is_old = [set](std::string_view member) { return set != nullptr && set->members.contains(member); };
  if (std::all_of(members.begin(), members.end(), is_old)) return call.reply.integer(0);
  std::int64_t added = 0;
  const FormLimits& limits = call.server.config.limits;
  call.server.keyspace.edit<Set>(call.args[1], "SADD", [&](Set& changed) {
    begin_set(changed, members[0], members.size(), limits);
    for (const std::string_view member : members) added += add_member(changed, member, limits) ? 1 : 0;
  });
  call.reply.integer(added);
}

void run_srem(CommandCall& call) {
  const Set* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  const std::span<const std::string_view> members = call.args.subspan(2);
  const auto is_there = [set](std::string_view member) { return set != nullptr && set->members.contains(member); };
  if (std::none_of(members.begin(), members.end(), is_there)) return call.reply.integer(0);
  std::int64_t removed = 0;
  call.server.keyspace.edit<Set>(call.args[1], "SREM", [&](Set& changed) {
    for (const std::string_view member : members) removed += changed.members.erase(member) ? 1 : 0;
  });
  call.reply.integer(removed);
}

void run_scard(CommandCall& call) {
  const Set* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  call.reply.integer(set == nullptr ? 0 : static_cast<std::int64_t>(set->members.size()));
}

void run_sismember(CommandCall& call) {
  const Set* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  call.reply.integer(set != nullptr && set->members.contains(call.args[2]) ? 1 : 0);
}

void run_smismember(CommandCall& call) {
  const Set* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  call.reply.array(call.args.size() - 2);
  for (const std::string_view member : call.args.subspan(2)) {
    call.reply.integer(set != nullptr && set->members.contains(member) ? 1 : 0);
  }
}

void run_smembers(CommandCall& call) {
  const Set* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  if (set == nullptr) return call.reply.set(0);
  call.reply.set(set->members.size());
  for (const std::string_view member : members_of(*set)) call.reply.bulk(member);
}

void run_smove(CommandCall& call) {
  const Set* from = nullptr;
  const Set* to = nullptr;
  const std::string_view member = call.args[3];
  if (!find_typed(call, call.args[1], from)) return;
  if (from == nullptr) return call.reply.integer(0);
  if (!find_typed(call, call.args[2], to) || !find_typed(call, call.args[1], from)) return;
  const bool there = from->members.contains(member);
  if (there && call.args[1] != call.args[2]) {
    const bool arrives = to == nullptr || !to->members.contains(member);
    call.server.keyspace.edit<Set>(call.args[1], "SREM", [&](Set& changed) { changed.members.erase(member); });
    const FormLimits& limits = call.server.config.limits;
    const auto add = [&](Set& changed) {
      begin_set(changed, member, 1, limits);
      add_member(changed, member, limits);
    };
    if (arrives) call.server.keyspace.edit<Set>(call.args[2], "SADD", add);
  }
  call.reply.integer(there ? 1 : 0);
}

/// `count` different members, or with a negative one so many, each any of all; false with an error written.
bool pick(CommandCall& call, const Set& set, std::int64_t count, std::vector<std::string_view>& picked) {
  const auto places = choose_places(call, set.members.size(), count);
  if (!places) return false;
  const std::vector<std::string_view> all = members_of(set);
  for (const std::size_t place : *places) picked.push_back(all[place]);
  return true;
}

void run_spop(CommandCall& call) {
  const bool many = call.args.size() > 2;
  if (call.args.size() > 3) return call.reply.error(errors::syntax);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t count = 1;
  if (many && !read_bounded(call, call.args[2], 0, most, count, "ERR value is out of range, must be positive")) return;
  const Set* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  if (set == nullptr && !many) return call.reply.nil();
  std::vector<std::string_view> picked;
  if (set != nullptr && count > 0 && !pick(call, *set, count, picked)) return;
  if (many) call.reply.set(picked.size());
  for (std::string_view& member : picked) {
    member = call.reply.keep(std::string(member));
    call.reply.bulk(member);
  }
  if (picked.empty()) return;
  call.server.keyspace.edit<Set>(call.args[1], "SPOP", [&](Set& changed) {
    for (const std::string_view member : picked) changed.members.erase(member);
  });
}

void run_srandmember(CommandCall& call) {
  if (call.args.size() > 3) return call.reply.error(errors::syntax);
  const bool many = call.args.size() > 2;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t count = 1;
  if (many && !read_bounded(call, call.args[2], -most, most, count)) return;
  const Set* set = nullptr;
  if (!find_typed(call, call.args[1], set)) return;
  if (set == nullptr) {
    if (many) return call.reply.array(0);
    return call.reply.nil();
  }
  std::vector<std::string_view> picked;
  if (!pick(call, *set, count, picked)) return;
  if (many) call.reply.array(picked.size());
  for (const std::string_view member : picked) call.reply.bulk(member);
}

constexpr KeyPositions behind_count{0, 0, 0, 1};
constexpr int stores = flag_write | flag_denyoom;

constexpr std::array table = {
    Command{"SDIFF", -2, flag_none, all_keys, run_sdiff},
    Command{"SDIFFSTORE", -3, stores, all_keys, run_store_of_sets},
    Command{"SINTER", -2, flag_none, all_keys, run_sinter},
    Command{"SINTERCARD", -3, flag_none, behind_count, run_sintercard},
    Command{"SINTERSTORE", -3, stores, all_keys, run_store_of_sets},
    Command{"SUNION", -2, flag_none, all_keys, run_sunion},
    Command{"SUNIONSTORE", -3, stores, all_keys, run_store_of_sets},
    Command{"SADD", -3, flag_write | flag_denyoom, one_key, run_sadd},
    Command{"SCARD", 2, flag_none, one_key, run_scard},
    Command{"SISMEMBER", 3, flag_none, one_key, run_sismember},
    Command{"SMEMBERS", 2, flag_none, one_key, run_smembers},
    Command{"SMISMEMBER", -3, flag_none, one_key, run_smismember},
    Command{"SMOVE", 4, flag_write, two_keys, run_smove},
    Command{"SPOP", -2, flag_write, one_key, run_spop},
    Command{"SRANDMEMBER", -2, flag_none, one_key, run_srandmember},
    Command{"SREM", -3, flag_write, one_key, run_srem},
};

}  // namespace

std::span<const Command> set_commands() { return table; }

}  // namespace cohsim::valkey
