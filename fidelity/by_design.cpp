#include "fidelity/by_design.h"

#include <algorithm>
#include <array>
#include <string>

namespace cohsim::fidelity {

namespace {

constexpr std::string_view hash_order = "order of a hash table: the server's seed is random at each start";
constexpr std::string_view real_time = "milliseconds pass on the real server, the fake's clock stands";
constexpr std::string_view chance = "a random member: the server draws it";

constexpr auto table = std::to_array<Difference>({
    {"SMEMBERS", Comparison::unordered, hash_order}, {"SINTER", Comparison::unordered, hash_order},
    {"SUNION", Comparison::unordered, hash_order},   {"SDIFF", Comparison::unordered, hash_order},
    {"HGETALL", Comparison::unordered, hash_order},  {"HKEYS", Comparison::unordered, hash_order},
    {"HVALS", Comparison::unordered, hash_order},    {"KEYS", Comparison::unordered, hash_order},
    {"SCAN", Comparison::unordered, hash_order},     {"HSCAN", Comparison::unordered, hash_order},
    {"SSCAN", Comparison::unordered, hash_order},    {"ZSCAN", Comparison::unordered, hash_order},
    {"PUBSUB CHANNELS", Comparison::unordered, hash_order}, {"CONFIG GET", Comparison::unordered, hash_order},
    {"PTTL", Comparison::numbers, real_time},        {"PEXPIRETIME", Comparison::numbers, real_time},
    {"EXPIRETIME", Comparison::numbers, real_time},  {"TIME", Comparison::kind, real_time},
    {"TTL", Comparison::numbers, real_time},         {"LASTSAVE", Comparison::kind, real_time},
    {"SPOP", Comparison::kind, chance},              {"SRANDMEMBER", Comparison::kind, chance},
    {"HRANDFIELD", Comparison::kind, chance},        {"ZRANDMEMBER", Comparison::kind, chance},
    {"RANDOMKEY", Comparison::kind, chance},
    {"HELLO", Comparison::numbers, "HELLO tells the id of the client, which counts all clients of the server"},
});

Comparison listed(std::string_view command) {
  for (const Difference& difference : table) {
    if (difference.command == command) return difference.comparison;
  }
  return Comparison::exact;
}

std::string sorted_lines(std::string_view bytes) {
  std::vector<std::string_view> lines;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find("\r\n"), bytes.size());
    lines.push_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 2, bytes.size()));
  }
  std::sort(lines.begin(), lines.end());
  std::string all;
  for (const std::string_view line : lines) (all += line) += '\n';
  return all;
}

/// Integer replies and ids with more than three digits, and that of HELLO's "id", become '#'.
std::string without_numbers(std::string_view bytes) {
  std::string all;
  for (std::size_t place = 0; place < bytes.size();) {
    if (bytes[place] != ':' || (place != 0 && bytes[place - 1] != '\n')) {
      all += bytes[place++];
      continue;
    }
    const std::size_t end = std::min(bytes.find('\r', place), bytes.size());
    const bool id = all.size() >= 4 && all.compare(all.size() - 4, 4, "id\r\n") == 0;
    all += id || end - place > 3 ? std::string_view(":#") : bytes.substr(place, end - place);
    place = end;
  }
  return all;
}

}  // namespace

std::span<const Difference> by_design() { return table; }

Comparison comparison_of(const Sequence& sequence, std::size_t place) {
  if (sequence[place].name != "EXEC") return listed(sequence[place].name);
  Comparison widest = Comparison::exact;
  for (const Sent& sent : sequence) widest = std::max(widest, listed(sent.name));
  return widest;
}

bool same(Comparison how, std::string_view real, std::string_view fake) {
  if (real == fake) return true;
  if (how == Comparison::unordered) return sorted_lines(real) == sorted_lines(fake);
  if (how == Comparison::numbers) return without_numbers(real) == without_numbers(fake);
  return how == Comparison::kind && !real.empty() && !fake.empty() && real.front() == fake.front();
}

}  // namespace cohsim::fidelity
