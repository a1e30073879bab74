#include "fidelity/by_design.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace cohsim::fidelity {

namespace {

constexpr std::string_view hash_order = "order of a hash table: the server's seed is random at each start";
constexpr std::string_view real_time = "time passes on the real server, the fake's clock stands";
constexpr std::string_view chance = "the server draws the member";
constexpr std::string_view cursors = "cursors and what one call returns depend on the hash table; compared are type and nulls";

constexpr auto table = std::to_array<Difference>({
    {"CONFIG GET", Comparison::subset, "the fake has the parameters that it obeys; its values are the server's"},
    {"EXPIRE", Comparison::drawn, "with GT or LT, where the deadlines are within two seconds: time passes on the real server"},
    {"EXPIRETIME", Comparison::near_s, real_time},
    {"HELLO", Comparison::hello, "the id of a client counts all clients of the server"},
    {"HGETALL", Comparison::pairs, hash_order},
    {"HKEYS", Comparison::unordered, hash_order},
    {"HRANDFIELD", Comparison::shape, chance},
    {"HSCAN", Comparison::kind, cursors},
    {"HVALS", Comparison::unordered, hash_order},
    {"KEYS", Comparison::unordered, hash_order},
    {"LASTSAVE", Comparison::kind, real_time},
    {"OBJECT REFCOUNT", Comparison::kind, "in a transaction the real server also counts its own queue of commands"},
    {"PEXPIRE", Comparison::drawn, "with GT or LT, where the deadlines are within two seconds: time passes on the real server"},
    {"PEXPIRETIME", Comparison::near_ms, real_time},
    {"PTTL", Comparison::near_ms, real_time},
    {"PUBSUB CHANNELS", Comparison::unordered, hash_order},
    {"PUBSUB SHARDCHANNELS", Comparison::unordered, hash_order},
    {"RANDOMKEY", Comparison::shape, chance},
    {"SCAN", Comparison::kind, cursors},
    {"SDIFF", Comparison::unordered, hash_order},
    {"SINTER", Comparison::unordered, hash_order},
    {"SMEMBERS", Comparison::unordered, hash_order},
    {"SPOP", Comparison::drawn, chance},
    {"SRANDMEMBER", Comparison::shape, chance},
    {"SSCAN", Comparison::kind, cursors},
    {"SUNION", Comparison::unordered, hash_order},
    {"TIME", Comparison::kind, real_time},
    {"TTL", Comparison::near_s, real_time},
    {"ZRANDMEMBER", Comparison::shape, chance},
    {"ZSCAN", Comparison::kind, cursors},
});

How listed(std::string_view command) {
  for (const Difference& difference : table) {
    if (difference.command == command) return {difference.comparison, {}};
  }
  return {};
}

/// Two deadlines that are alike while the fake's clock stands may differ by a millisecond on the real server.
bool compares_deadlines(const Sent& sent) {
  return std::any_of(sent.args.begin(), sent.args.end(), [](const std::string& arg) { return arg == "GT" || arg == "LT"; });
}

/// A scan from its start that need not stop half-way returns everything: only the order differs.
bool whole_scan(const Sent& sent) {
  const std::size_t cursor = sent.name == "SCAN" ? 1 : 2;
  if (sent.args[0] == "EVAL" || sent.args.size() <= cursor || sent.args[cursor] != "0") return false;
  for (std::size_t place = cursor + 1; place < sent.args.size(); ++place) {
    if (sent.args[place] == "COUNT" || sent.args[place] == "count") return false;
  }
  return true;
}

}  // namespace

std::span<const Difference> by_design() { return table; }

How how_of(const Sent& sent) {
  How how;
  if (sent.calls.empty()) {
    how = listed(sent.name);
    if (sent.name.ends_with("EXPIRE") && !compares_deadlines(sent)) how = {};
    if (sent.name.ends_with("SCAN") && whole_scan(sent)) {
      how.comparison = sent.name == "HSCAN" || sent.name == "ZSCAN" ? Comparison::pairs : Comparison::unordered;
    }
  }
  for (const std::string& call : sent.calls) {
    how.items.push_back(call.ends_with("EXPIRE") && !compares_deadlines(sent) ? How{} : listed(call));
  }
  return how;
}

}  // namespace cohsim::fidelity
