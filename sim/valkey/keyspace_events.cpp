#include "sim/valkey/keyspace_events.h"

#include <algorithm>
#include <array>

#include "sim/valkey/command.h"
#include "sim/valkey/config.h"

namespace cohsim::valkey {

namespace {

struct Known {
  std::string_view cause;
  int kind;
  std::string_view event;  ///< empty: the cause in lower case
};

/// Causes that do not tell by themselves: a command's name where the event is called otherwise, and the kinds.
constexpr std::array known = {
    Known{"APPEND", events_string, {}},
    Known{"COPY", events_generic, "copy_to"},
    Known{"COPY_TO", events_generic, {}},
    Known{"DECR", events_string, "incrby"},
    Known{"DECRBY", events_string, "incrby"},
    Known{"EXPIRE", events_generic, {}},
    Known{"EXPIREAT", events_generic, "expire"},
    Known{"GETEX", events_generic, {}},
    Known{"GETSET", events_string, "set"},
    Known{"INCR", events_string, "incrby"},
    Known{"INCRBY", events_string, {}},
    Known{"INCRBYFLOAT", events_string, {}},
    Known{"MOVE_FROM", events_generic, {}},
    Known{"MOVE_TO", events_generic, {}},
    Known{"MSET", events_string, "set"},
    Known{"MSETNX", events_string, "set"},
    Known{"PERSIST", events_generic, {}},
    Known{"PEXPIRE", events_generic, "expire"},
    Known{"PEXPIREAT", events_generic, "expire"},
    Known{"PSETEX", events_string, "set"},
    Known{"RENAME_FROM", events_generic, {}},
    Known{"RENAME_TO", events_generic, {}},
    Known{"RESTORE", events_generic, {}},
    Known{"SET", events_string, {}},
    Known{"SETBIT", events_string, {}},
    Known{"SETEX", events_string, "set"},
    Known{"SETNX", events_string, "set"},
    Known{"SETRANGE", events_string, {}},
    Known{"HMSET", events_hash, "hset"},
    Known{"HSETNX", events_hash, "hset"},
    Known{"BLPOP", events_list, "lpop"},
    Known{"BRPOP", events_list, "rpop"},
    Known{"LPUSHX", events_list, "lpush"},
    Known{"RPUSHX", events_list, "rpush"},
    Known{"BZPOPMAX", events_sorted, "zpopmax"},
    Known{"BZPOPMIN", events_sorted, "zpopmin"},
    Known{"ZINCRBY", events_sorted, "zincr"},
};

constexpr std::array removals = {std::string_view("DEL"),     std::string_view("UNLINK"),    std::string_view("GETDEL"),
                                 std::string_view("EXPIRE"),  std::string_view("EXPIREAT"),  std::string_view("PEXPIRE"),
                                 std::string_view("PEXPIREAT"), std::string_view("SET"),     std::string_view("GETEX"),
                                 std::string_view("RENAME"),  std::string_view("MOVE"),      std::string_view("SETEX"),
                                 std::string_view("PSETEX")};

bool is_removal(std::string_view cause) { return std::find(removals.begin(), removals.end(), cause) != removals.end(); }

int kind_of(std::string_view cause) {
  switch (cause.front()) {
    case 'H':
      return events_hash;
    case 'L':
    case 'R':
      return events_list;
    case 'S':
      return events_set;
    case 'Z':
      return events_sorted;
    case 'X':
      return events_stream;
    default:
      return events_generic;
  }
}

bool has_word(std::span<const std::string_view> args, std::string_view word) {
  return std::any_of(args.begin(), args.end(), [&](std::string_view arg) { return is_word(arg, word); });
}

/// Whether a string came with a new deadline, which is an event of its own.
bool sets_deadline(std::string_view cause, const Row* after, std::span<const std::string_view> args) {
  if (after == nullptr || !after->deadline_ms) return false;
  if (cause == "SETEX" || cause == "PSETEX") return true;
  return cause == "SET" && args.size() > 3 && !has_word(args.subspan(3), "KEEPTTL");
}

KeyspaceEvent event_of(std::string_view cause, const Row* after) {
  if (cause == "GETEX") return {events_generic, after != nullptr && after->deadline_ms ? "expire" : "persist"};
  const auto* const place =
      std::find_if(known.begin(), known.end(), [&](const Known& entry) { return entry.cause == cause; });
  if (place == known.end()) return {kind_of(cause), lower_case(cause)};
  return {place->kind, place->event.empty() ? lower_case(cause) : std::string(place->event)};
}

}  // namespace

bool is_told(std::string_view cause) {
  return cause != "FLUSHALL" && cause != "FLUSHDB" && cause != "SWAPDB" && cause != "restart" &&
         cause != "failover";
}

std::vector<KeyspaceEvent> keyspace_events(std::string_view cause, bool existed, const Row* after,
                                           std::span<const std::string_view> args) {
  if (cause == "expired") return {{events_expired, "expired"}};
  if (cause == "evicted") return {{events_evicted, "evicted"}};
  if (!is_told(cause)) return {};
  if (after == nullptr && is_removal(cause)) return {{events_generic, "del"}};
  // A result that is empty removes what was there, whatever it was.
  if (after == nullptr && cause.ends_with("STORE")) return {{events_generic, "del"}};
  std::vector<KeyspaceEvent> events = {event_of(cause, after)};
  if (cause == "ZADD" && has_word(args, "INCR")) events[0].name = "zincr";
  if (sets_deadline(cause, after, args)) events.push_back({events_generic, "expire"});
  if (after == nullptr && existed && !cause.ends_with("_FROM")) events.push_back({events_generic, "del"});
  return events;
}

}  // namespace cohsim::valkey
