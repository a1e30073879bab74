#include "sim/valkey/config.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/valkey/command.h"
#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

namespace {

using Kind = ConfigEntry::Kind;
constexpr std::int64_t most_int = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t most_long = std::numeric_limits<std::int64_t>::max();

constexpr ConfigEntry number(std::string_view name, std::string_view initial, std::int64_t least, std::int64_t most,
                             std::string_view alias = {}) {
  return {name, alias, Kind::number, initial, least, most};
}
constexpr ConfigEntry memory(std::string_view name, std::string_view initial, std::int64_t least,
                             std::string_view alias = {}) {
  return {name, alias, Kind::memory, initial, least, most_long};
}
constexpr ConfigEntry boolean(std::string_view name, std::string_view initial) {
  return {name, {}, Kind::boolean, initial};
}
constexpr ConfigEntry text(std::string_view name, std::string_view initial) { return {name, {}, Kind::text, initial}; }
constexpr ConfigEntry fixed(ConfigEntry entry) {
  entry.immutable = true;
  return entry;
}

constexpr std::string_view policies =
    "volatile-lru, volatile-lfu, volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, allkeys-random, noeviction";

constexpr std::array table = {
    boolean("activedefrag", "no"),
    boolean("appendonly", "no"),
    ConfigEntry{"appendfsync", {}, Kind::choice, "everysec", 0, 0, "everysec, always, no"},
    number("busy-reply-threshold", "5000", 0, most_long, "lua-time-limit"),
    ConfigEntry{"client-output-buffer-limit", {}, Kind::buffers,
                "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"},  // default_buffers
    memory("client-query-buffer-limit", "1073741824", 1024 * 1024),
    fixed(boolean("cluster-enabled", "no")),
    fixed(number("databases", "16", 1, most_int)),
    text("dbfilename", "dump.rdb"),
    number("hash-max-listpack-entries", "512", 0, most_long, "hash-max-ziplist-entries"),
    memory("hash-max-listpack-value", "64", 0, "hash-max-ziplist-value"),
    number("hz", "10", 0, most_int),
    number("latency-monitor-threshold", "0", 0, most_long),
    boolean("lazyfree-lazy-eviction", "no"),
    boolean("lazyfree-lazy-expire", "no"),
    boolean("lazyfree-lazy-server-del", "no"),
    boolean("lazyfree-lazy-user-del", "no"),
    boolean("lazyfree-lazy-user-flush", "no"),
    number("lfu-decay-time", "1", 0, most_int),
    number("lfu-log-factor", "10", 0, most_int),
    number("list-compress-depth", "0", 0, most_int),
    number("list-max-listpack-size", "-2", -most_int - 1, most_int, "list-max-ziplist-size"),
    ConfigEntry{"locale-collate", {}, Kind::text, "", 0, 0, {}, false, true},
    ConfigEntry{"loglevel", {}, Kind::choice, "notice", 0, 0, "debug, verbose, notice, warning"},
    number("maxclients", "10000", 1, 4294967295),
    memory("maxmemory", "0", 0),
    ConfigEntry{"maxmemory-policy", {}, Kind::choice, "noeviction", 0, 0, policies},
    number("maxmemory-samples", "5", 1, most_int),
    ConfigEntry{"notify-keyspace-events", {}, Kind::events, ""},
    number("port", "6379", 0, 65535),
    memory("proto-max-bulk-len", "536870912", 1024 * 1024),
    boolean("protected-mode", "yes"),
    text("requirepass", ""),
    ConfigEntry{"save", {}, Kind::save, ""},
    number("set-max-intset-entries", "512", 0, most_long),
    ConfigEntry{"set-max-listpack-entries", {}, Kind::number, "128", 0, most_long, {}, false, true},
    ConfigEntry{"set-max-listpack-value", {}, Kind::number, "64", 0, most_long, {}, false, true},
    number("slowlog-log-slower-than", "10000", -1, most_long),
    number("slowlog-max-len", "128", 0, most_long),
    memory("stream-node-max-bytes", "4096", 0),
    number("stream-node-max-entries", "100", 0, most_long),
    number("tcp-keepalive", "300", 0, most_int),
    number("timeout", "0", 0, most_int),
    number("tracking-table-max-keys", "1000000", 0, most_long),
    number("zset-max-listpack-entries", "128", 0, most_long, "zset-max-ziplist-entries"),
    memory("zset-max-listpack-value", "64", 0, "zset-max-ziplist-value"),
};

/// "64mb" in bytes (util.c, memtoull); nullopt for nonsense.
std::optional<std::int64_t> read_memory(std::string_view value) {
  std::size_t digits = 0;
  while (digits < value.size() && value[digits] >= '0' && value[digits] <= '9') ++digits;
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> units = {
      {{"", 1}, {"B", 1}, {"K", 1000}, {"KB", 1024}, {"M", 1000000}, {"MB", 1024 * 1024}, {"G", 1000000000},
       {"GB", 1024 * 1024 * 1024}}};
  for (const auto& [unit, factor] : units) {
    if (!is_word(value.substr(digits), unit)) continue;
    if (digits == 0) return 0;
    std::string_view plain = value.substr(0, digits);
    while (plain.size() > 1 && plain.front() == '0') plain.remove_prefix(1);
    const auto amount = read_integer(plain);
    if (!amount || *amount > most_long / factor) return std::nullopt;
    return *amount * factor;
  }
  return std::nullopt;
}

constexpr std::string_view event_letters = "KEg$lshzxetmdn";
constexpr int events_all = events_generic | events_string | events_list | events_set | events_hash | events_sorted |
                           events_expired | events_evicted | events_stream | events_module;

/// −1 for an unknown letter.
int read_events(std::string_view value) {
  int flags = 0;
  for (const char letter : value) {
    const std::size_t place = event_letters.find(letter);
    if (letter == 'A') {
      flags |= events_all;
    } else if (place == std::string_view::npos) {
      return -1;
    } else {
      flags |= 1 << static_cast<int>(place);
    }
  }
  return flags;
}

/// In the order of notify.c's keyspaceEventsFlagsToString.
std::string events_text(int flags) {
  std::string text;
  const auto add = [&](std::string_view letters) {
    for (const char letter : letters) {
      if ((flags & (1 << static_cast<int>(event_letters.find(letter)))) != 0) text += letter;
    }
  };
  if ((flags & events_all) == events_all) {
    text += 'A';
  } else {
    add("g$lshzxetdn");
  }
  add("KEm");
  return text;
}

bool is_choice(std::string_view choices, std::string_view value, std::string* found = nullptr) {
  while (!choices.empty()) {
    const std::string_view choice = choices.substr(0, choices.find(','));
    if (value.size() == choice.size() && is_word(upper_case(value), upper_case(choice))) {
      if (found != nullptr) *found = choice;
      return true;
    }
    choices.remove_prefix(std::min(choices.size(), choice.size() + 2));
  }
  return false;
}

/// Pairs of seconds and changes.
bool is_save(std::string_view value) {
  std::int64_t words = 0;
  while (!value.empty()) {
    const std::string_view word = value.substr(0, value.find(' '));
    const auto amount = read_integer(word);
    if (!amount || *amount < (words % 2 == 0 ? 1 : 0)) return false;
    ++words;
    value.remove_prefix(std::min(value.size(), word.size() + 1));
  }
  return words % 2 == 0;
}

constexpr std::array<std::string_view, 3> buffer_classes = {"normal", "slave", "pubsub"};

/// Reads "class hard soft seconds" as often as it stands there, over what `limits` holds; why not, else empty.
std::string read_buffers(std::string_view value, BufferLimits& limits) {
  std::vector<std::string_view> words;
  for (std::size_t from = value.find_first_not_of(' '); from < value.size(); from = value.find_first_not_of(' ', from)) {
    const std::size_t end = std::min(value.find(' ', from), value.size());
    words.push_back(value.substr(from, end - from));
    from = end;
  }
  if (words.size() % 4 != 0) return "Wrong number of arguments in buffer limit configuration.";
  for (std::size_t place = 0; place < words.size(); place += 4) {
    const std::string_view name = is_word(words[place], "REPLICA") ? buffer_classes[1] : words[place];
    const auto* const known = std::find_if(buffer_classes.begin(), buffer_classes.end(),
                                           [&](std::string_view each) { return is_word(name, upper_case(each)); });
    if (known == buffer_classes.end()) return "Invalid client class specified in buffer limit configuration.";
    const auto hard = read_memory(words[place + 1]);
    const auto soft = read_memory(words[place + 2]);
    const auto seconds = read_integer(words[place + 3]);
    if (!hard || !soft || !seconds || *seconds < 0) {
      return "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
    }
    limits[static_cast<std::size_t>(known - buffer_classes.begin())] = {*hard, *soft, *seconds};
  }
  return {};
}

std::string buffers_text(const BufferLimits& limits) {
  std::string text;
  for (std::size_t place = 0; place < limits.size(); ++place) {
    text += fmt::format("{}{} {}", place == 0 ? "" : " ", buffer_classes[place], fmt::join(limits[place], " "));
  }
  return text;
}

std::string check_number(const ConfigEntry& entry, std::optional<std::int64_t> amount, std::string_view nonsense) {
  if (!amount) return std::string(nonsense);
  if (*amount >= entry.least && *amount <= entry.most) return {};
  return fmt::format("argument must be between {} and {} inclusive", entry.least, entry.most);
}

constexpr std::array<std::pair<std::string_view, std::int64_t FormLimits::*>, 10> limit_names = {{
    {"hash-max-listpack-entries", &FormLimits::hash_entries},
    {"hash-max-listpack-value", &FormLimits::hash_value},
    {"list-max-listpack-size", &FormLimits::list_size},
    {"set-max-intset-entries", &FormLimits::intset_entries},
    {"set-max-listpack-entries", &FormLimits::set_entries},
    {"set-max-listpack-value", &FormLimits::set_value},
    {"stream-node-max-bytes", &FormLimits::stream_node_bytes},
    {"stream-node-max-entries", &FormLimits::stream_node_entries},
    {"zset-max-listpack-entries", &FormLimits::sorted_entries},
    {"zset-max-listpack-value", &FormLimits::sorted_value},
}};

}  // namespace

Config::Config(const Personality& personality) : personality_(&personality) {
  for (const ConfigEntry& entry : table) values_.emplace_back(entry.initial);
  limits.has_set_listpack = personality.has_set_listpack;
}

std::span<const ConfigEntry> Config::entries() { return table; }

bool Config::has(std::size_t place) const { return !table[place].valkey_only || personality_->has_valkey_config; }

std::optional<std::size_t> Config::find(std::string_view name) const {
  const std::string wanted = upper_case(name);
  for (std::size_t place = 0; place < table.size(); ++place) {
    const bool named = wanted == upper_case(table[place].name) ||
                       (!table[place].alias.empty() && wanted == upper_case(table[place].alias));
    if (named && has(place)) return place;
  }
  return std::nullopt;
}

std::string Config::check(std::size_t place, std::string_view value) const {
  const ConfigEntry& entry = table[place];
  if (entry.immutable) return "can't set immutable config";
  switch (entry.kind) {
    case Kind::boolean:
      return is_word(upper_case(value), "YES") || is_word(upper_case(value), "NO") ? "" : "argument must be 'yes' or 'no'";
    case Kind::number:
      return check_number(entry, read_integer(value), "argument couldn't be parsed into an integer");
    case Kind::memory:
      return check_number(entry, read_memory(value), "argument must be a memory value");
    case Kind::choice:
      if (is_choice(entry.choices, value)) return {};
      return fmt::format("argument(s) must be one of the following: {}", entry.choices);
    case Kind::events:
      return read_events(value) < 0 ? "Invalid event class character. Use 'Ag$lshzxeKEtmdn'." : "";
    case Kind::save:
      return is_save(value) ? "" : "Invalid save parameters";
    case Kind::buffers: {
      auto kept_limits = default_buffers;
      return read_buffers(value, kept_limits);
    }
    case Kind::text:
      return {};
  }
  return {};
}

void Config::set(std::size_t place, std::string_view value) {
  const ConfigEntry& entry = table[place];
  std::string& kept = values_[place];
  kept = value;
  if (entry.kind == Kind::boolean) kept = lower_case(value);
  if (entry.kind == Kind::choice) is_choice(entry.choices, value, &kept);
  if (entry.kind == Kind::memory) kept = fmt::format("{}", *read_memory(value));
  if (entry.kind == Kind::buffers) {
    read_buffers(value, buffers_);
    kept = buffers_text(buffers_);
  }
  if (entry.kind == Kind::events) {
    notify_events = read_events(value);
    kept = events_text(notify_events);
  }
  for (const auto& [name, limit] : limit_names) {
    if (entry.name == name) limits.*limit = *read_integer(kept);
  }
  if (entry.name == "maxmemory") maxmemory = *read_memory(value);
  // Both may be lowered; a larger value shows in CONFIG GET, but our memory stays bounded as it is by default.
  const auto bounded = [&](std::size_t most) { return std::min(static_cast<std::size_t>(*read_memory(value)), most); };
  if (entry.name == "proto-max-bulk-len") requests.bulk_bytes = bounded(RequestLimits{}.bulk_bytes);
  if (entry.name == "client-query-buffer-limit") requests.unread_bytes = bounded(RequestLimits{}.unread_bytes);
  if (entry.name == "busy-reply-threshold") busy_reply_threshold_ms = *read_integer(value);
  if (entry.name == "requirepass") requirepass = value;
}

}  // namespace cohsim::valkey
