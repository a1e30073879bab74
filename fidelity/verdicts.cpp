#include "fidelity/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "fidelity/case_file.h"
#include "fidelity/fake_connections.h"
#include "fidelity/fresh_start.h"
#include "lua/sha1.h"
#include "sim/random.h"

namespace cohsim::fidelity {

namespace {

constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view base = "VRS0KxJm3Qz9aB";
constexpr std::string_view deadline_ms = "4102444800000";  // in the year 2100: it comes on neither server
constexpr std::size_t replies_of_pair = 4;

void add_single_changes(std::vector<std::string>& all) {
  for (std::size_t place = 0; place < base.size(); ++place) {
    for (const char letter : letters) {
      all.emplace_back(base);
      all.back()[place] = letter;
    }
  }
  for (int byte = 0; byte < 256; ++byte) {
    all.emplace_back(base);
    all.back()[8] = static_cast<char>(byte);
  }
}

/// Letters of both cases and blanks that a collation looks at last, if at all.
void add_weights(std::vector<std::string>& all) {
  for (const char one : std::string_view("aAbB-")) {
    for (const char two : std::string_view("aAbB ")) {
      for (const char three : std::string_view("aAzZ_")) {
        all.emplace_back(base);
        all.back().replace(11, 3, {one, two, three});
      }
    }
  }
}

void add_odd_bytes(std::vector<std::string>& all) {
  using namespace std::string_view_literals;
  for (const std::string_view piece : {"\0"sv, "\0\0"sv, "\0a"sv, "a\0"sv, "\xc3\xa9"sv, "e\xcc\x81"sv, "\xc3"sv, "\xa9"sv, "\xff\xfe"sv, "\xf0\x9f\x92\xa9"sv,
                                       "\xc3\x9f"sv, "ss"sv, "\xc4\xb0"sv, "\xef\xbb\xbf"sv, "\xe2\x80\x8b"sv, "  "sv, "--"sv, "\r\n"sv, "%s"sv, "'\""sv}) {
    for (std::size_t place = 0; place + piece.size() <= base.size(); ++place) {
      all.emplace_back(base);
      all.back().replace(place, piece.size(), piece);
    }
  }
}

void add_lengths(std::vector<std::string>& all) {
  const std::string long_one = fmt::format("{}value", base);
  for (std::size_t length = 0; length <= 16; ++length) {
    all.push_back(long_one.substr(0, length));
    all.emplace_back(length, '\0');
    all.emplace_back(length, 'z');
    all.emplace_back(length, '0');
  }
}

bool replies_differ(const std::vector<std::string>& real, const std::vector<std::string>& fake, std::size_t pair) {
  for (std::size_t item = pair * replies_of_pair; item < (pair + 1) * replies_of_pair; ++item) {
    if (item >= real.size() || item >= fake.size() || real[item] != fake[item]) return true;
  }
  return false;
}

std::string shown(const std::vector<std::string>& replies, std::size_t pair) {
  std::string all;
  for (std::size_t item = pair * replies_of_pair + 1; item < (pair + 1) * replies_of_pair; ++item) {
    all += ' ' + (item < replies.size() ? quoted(replies[item]) : "(none)");
  }
  return all;
}

}  // namespace

std::vector<std::string> adversarial_versions(std::size_t count) {
  std::vector<std::string> all;
  add_lengths(all);
  add_weights(all);
  add_odd_bytes(all);
  add_single_changes(all);
  const std::uint64_t key = mix64(20'261'202);
  std::uint64_t drawn = 0;
  while (all.size() < 2 * count) {
    all.emplace_back(base.substr(0, 3));
    while (all.back().size() < base.size()) all.back() += letters[static_cast<std::size_t>(scale(draw(key, drawn++), letters.size()))];
    all.push_back(all.back());  // and its neighbour in the last letter
    all.back().back() = letters[static_cast<std::size_t>(scale(draw(key, drawn++), letters.size()))];
  }
  std::set<std::string> seen;
  std::erase_if(all, [&](const std::string& one) { return !seen.insert(one).second; });
  all.resize(std::min(all.size(), count));
  return all;
}

VerdictResult compare_verdicts(lua::Interpreter& interpreter, Peer& peer, const valkey::Personality& personality,
                               const std::string& locale, const std::string& script, const std::vector<std::string>& versions) {
  constexpr std::size_t pairs_at_once = 100;
  VerdictResult result;
  FakeConnections fake(interpreter, personality, locale);
  FreshStart(peer).begin(1, "");
  const std::string sha1 = lua::sha1_hex(script);
  std::string bytes;
  append_request({"SCRIPT", "LOAD", script}, bytes);
  peer.send(1, bytes);
  fake.send_bytes(1, bytes);
  if (peer.take(1, 1, 5000) != std::vector{*fake.take(1)}) throw std::runtime_error("the real server does not load the script as the fake does");
  for (const std::string& message : versions) {
    for (std::size_t first = 0; first < versions.size(); first += pairs_at_once) {
      const std::size_t end = std::min(versions.size(), first + pairs_at_once);
      bytes.clear();
      for (std::size_t row = first; row < end; ++row) {
        append_request({"SET", "k", versions[row], "PXAT", std::string(deadline_ms)}, bytes);
        append_request({"EVALSHA", sha1, "1", "k", message}, bytes);
        append_request({"GET", "k"}, bytes);
        append_request({"PEXPIRETIME", "k"}, bytes);
      }
      peer.send(1, bytes);
      fake.send_bytes(1, bytes);
      std::vector<std::string> expected;
      while (auto frame = fake.take(1)) expected.push_back(std::move(*frame));
      fake.forget_taken(1);
      const std::vector<std::string> got = peer.take(1, (end - first) * replies_of_pair, 5000);
      for (std::size_t pair = 0; pair < end - first; ++pair) {
        ++result.pairs;
        if (expected[pair * replies_of_pair + 1] == ":1\r\n") ++result.dropped;
        if (!replies_differ(got, expected, pair) || result.differences.size() == 20) continue;
        result.differences.push_back(fmt::format("row {}, message {}, collation {}:{} on the real server,{} on the fake",
                                                 quoted(versions[first + pair]), quoted(message), locale, shown(got, pair), shown(expected, pair)));
      }
    }
  }
  return result;
}

}  // namespace cohsim::fidelity
