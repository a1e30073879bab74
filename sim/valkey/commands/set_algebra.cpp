#include "sim/valkey/commands/set_algebra.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "sim/valkey/arguments.h"
#include "sim/valkey/commands/set_values.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

namespace {

enum class Operation : std::uint8_t { intersection, sum, difference };

/// The sets at the keys, null where there is none. Nothing, with WRONGTYPE written, where one is something else. Rows
/// stay where they are when others expire.
std::optional<std::vector<const Set*>> find_sets(CommandCall& call, std::span<const std::string_view> keys) {
  std::vector<const Set*> sets(keys.size());
  for (std::size_t place = 0; place < keys.size(); ++place) {
    if (!find_typed(call, keys[place], sets[place])) return std::nullopt;
  }
  return sets;
}

Set combine(const std::vector<const Set*>& sets, Operation operation, const FormLimits& limits) {
  Set result;
  if (operation == Operation::sum) {
    for (const Set* const set : sets) {
      if (set == nullptr) continue;
      for (const std::string_view member : members_of(*set)) add_member(result, member, limits);
    }
    return result;
  }
  const bool common = operation == Operation::intersection;
  const Set* base = sets[0];
  if (common && std::find(sets.begin(), sets.end(), nullptr) != sets.end()) return result;
  if (common) {
    base = *std::min_element(sets.begin(), sets.end(), [](const Set* one, const Set* other) {
      return one->members.size() < other->members.size();
    });
  }
  if (base == nullptr) return result;
  for (const std::string_view member : members_of(*base)) {
    const auto has = [member](const Set* set) { return set != nullptr && set->members.contains(member); };
    const bool stays = common ? std::all_of(sets.begin(), sets.end(), has)
                              : std::none_of(sets.begin() + 1, sets.end(), has);
    if (stays) add_member(result, member, limits);
  }
  return result;
}

void show(CommandCall& call, Operation operation) {
  const auto sets = find_sets(call, call.args.subspan(1));
  if (!sets) return;
  const Set result = combine(*sets, operation, call.server.config.limits);
  call.reply.set(result.members.size());
  for (const std::string_view member : members_of(result)) call.reply.bulk(call.reply.keep(std::string(member)));
}

}  // namespace

void run_sinter(CommandCall& call) { show(call, Operation::intersection); }
void run_sunion(CommandCall& call) { show(call, Operation::sum); }
void run_sdiff(CommandCall& call) { show(call, Operation::difference); }

void run_store_of_sets(CommandCall& call) {
  const std::string_view name = call.command.name;
  const Operation operation = name == "SINTERSTORE"  ? Operation::intersection
                              : name == "SUNIONSTORE" ? Operation::sum
                                                      : Operation::difference;
  const auto sets = find_sets(call, call.args.subspan(2));
  if (!sets) return;
  Set result = combine(*sets, operation, call.server.config.limits);
  const auto size = static_cast<std::int64_t>(result.members.size());
  if (result.empty()) {
    call.server.keyspace.erase(call.args[1], "DEL");
  } else {
    Row row;
    row.collection = std::make_shared<Collection>(std::move(result));
    call.server.keyspace.put(call.args[1], std::move(row), name);
  }
  call.reply.integer(size);
}

void run_sintercard(CommandCall& call) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t count = 0;
  if (!read_bounded(call, call.args[1], 1, most, count, "ERR numkeys should be greater than 0")) return;
  if (count > static_cast<std::int64_t>(call.args.size()) - 2) {
    return call.reply.error("ERR Number of keys can't be greater than number of args");
  }
  const std::size_t behind = static_cast<std::size_t>(count) + 2;
  std::int64_t limit = 0;
  for (std::size_t place = behind; place < call.args.size(); place += 2) {
    if (!is_word(call.args[place], "LIMIT") || place + 1 == call.args.size()) return call.reply.error(errors::syntax);
    if (!read_bounded(call, call.args[place + 1], 0, most, limit, "ERR LIMIT can't be negative")) return;
  }
  const auto sets = find_sets(call, call.args.subspan(2, behind - 2));
  if (!sets) return;
  const Set result = combine(*sets, Operation::intersection, call.server.config.limits);
  const auto size = static_cast<std::int64_t>(result.members.size());
  call.reply.integer(limit == 0 ? size : std::min(size, limit));
}

}  // namespace cohsim::valkey
