#include "fidelity/sequences.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <array>
#include <set>

#include "fidelity/shapes.h"

namespace cohsim::fidelity {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view several_calls =
    "local out={} local at=1 while at<=#ARGV do local n=tonumber(ARGV[at]) "
    "out[#out+1]=redis.pcall(unpack(ARGV,at+1,at+n)) at=at+n+1 end return out";

constexpr std::array keys{"k"sv, "k"sv, "k"sv, "k2"sv, "k2"sv, "k3"sv, "{a}x"sv};
constexpr std::array values{"v"sv, "a"sv, "0"sv, "10"sv, "-1"sv, "3.5"sv, ""sv, "a\0b"sv, "\r\n"sv, "\xff\xfe"sv, "hello world"sv,
    "9223372036854775807"sv, "-9223372036854775808"sv, "9223372036854775808"sv, "nan"sv, "inf"sv, " 1"sv, "01"sv, "1e3"sv,
    "0123456789012345678901234567890123456789012345678901234567890123456789"sv, "string"sv, "list"sv};
constexpr std::array integers{"0"sv, "1"sv, "2"sv, "3"sv, "-1"sv, "-2"sv, "10"sv, "-100"sv, "100"sv, "9223372036854775807"sv,
    "-9223372036854775808"sv, "9223372036854775808"sv, "2147483648"sv, "4294967296"sv, "abc"sv, ""sv, "1.5"sv, " 1"sv, "+1"sv, "01"sv, "-0"sv};
constexpr std::array floats{"0"sv, "1"sv, "2"sv, "-1"sv, "1.5"sv, "3.14159"sv, "1e10"sv, "1e300"sv, "-1e-5"sv, "inf"sv, "-inf"sv, "+inf"sv,
    "nan"sv, "abc"sv, ""sv, "0.1"sv, "5.0e3"sv, "1e400"sv, "9007199254740993"sv, "-0"sv, "0x10"sv, " 1"sv, "1 "sv};
constexpr std::array members{"a"sv, "b"sv, "c"sv, "d"sv, "1"sv, "2"sv, "-5"sv, ""sv, "a\0b"sv, "f"sv, "longer than sixty-four bytes, so that no listpack keeps it any more"sv};
constexpr std::array scores{"-inf"sv, "+inf"sv, "inf"sv, "0"sv, "1"sv, "2"sv, "(1"sv, "(2"sv, "1.5"sv, "-1"sv, "("sv, "abc"sv, "nan"sv, "(inf"sv, ""sv};
constexpr std::array lexical{"-"sv, "+"sv, "[a"sv, "(a"sv, "[b"sv, "(c"sv, "[d"sv, "["sv, "("sv, "a"sv, ""sv};
constexpr std::array patterns{"*"sv, "k*"sv, "k"sv, "?"sv, "[a-c]"sv, "[^a]"sv, "\\*"sv, ""sv, "c*"sv, "a*b"sv, "[a"sv};
constexpr std::array channels{"c"sv, "c1"sv, "c2"sv, ""sv};
constexpr std::array lives{"100"sv, "1000"sv, "100000"sv, "1000000"sv, "-1"sv, "0"sv, "9223372036854775807"sv, "abc"sv, "99999999999"sv};
constexpr std::array databases{"0"sv, "0"sv, "1"sv, "15"sv, "16"sv, "-1"sv, "abc"sv};
constexpr std::array scripts{"return 1"sv, "return {1,2,{3,'x'}}"sv, "return redis.call('GET',KEYS[1])"sv, "return {err='MY error'}"sv, "return {ok='fine'}"sv,
    "return ARGV[1]"sv, "return nil"sv, "return 3.99"sv, "return redis.error_reply('x')"sv, "error('boom')"sv, "return #KEYS+#ARGV"sv, "x = 1"sv, "return ("sv,
    "return {double=3.5}"sv, "redis.setresp(3) return true"sv, "return tostring(redis.pcall('INCR',KEYS[1]).err)"sv};

constexpr std::array timeouts{"0"sv, "0"sv, "1000"sv, "2500.5"sv, "-1"sv, "abc"sv, "1e400"sv, "9223372036854775807"sv, "inf"sv, "0x10"sv, ""sv};

class Maker {
 public:
  explicit Maker(const rc::Random& random) : random_(random) {}

  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_.next() % end); }
  bool percent(std::size_t share) { return below(100) < share; }

  Sequence sequence(const std::vector<bool>& simulated, std::size_t length_max) {
    Sequence all;
    const std::size_t length = 2 + below(length_max);
    const int connections = percent(70) ? 1 : 3;
    if (percent(25)) all.push_back({1, {"HELLO", "3"}, "HELLO"});
    const bool queued = percent(10);
    if (queued) all.push_back({1, {"MULTI"}, "MULTI"});
    while (all.size() < length) all.push_back(command(1 + static_cast<int>(below(static_cast<std::size_t>(connections))), simulated));
    if (queued) all.push_back({1, {"EXEC"}, "EXEC"});
    std::erase_if(all, [&](const Sent& sent) { return !known(sent.name, simulated); });
    return all;
  }

 private:
  static bool known(const std::string& name, const std::vector<bool>& simulated) {
    for (std::size_t place = 0; place < shapes().size(); ++place) {
      if (shapes()[place].name == name && !simulated[place]) return false;
    }
    return true;
  }

  Sent command(int connection, const std::vector<bool>& simulated) {
    Sent sent = plain(connection, simulated);
    if (percent(20)) into_script(sent, simulated);
    return sent;
  }

  /// Mostly a neighbour of the sequence's other commands in the table: they work on the same types.
  std::size_t choose() {
    constexpr std::size_t neighbours = 25;
    return (family_ + below(percent(80) ? neighbours : shapes().size())) % shapes().size();
  }

  Sent plain(int connection, const std::vector<bool>& simulated) {
    std::size_t place = choose();
    for (int tries = 0; !simulated[place] && tries < 1000; ++tries) place = choose();
    const Shape& shape = shapes()[place];
    Sent sent{connection, {}, std::string(shape.name)};
    words(shape.name, sent.args);
    const std::size_t head = sent.args.size();
    words(shape.arguments, sent.args);
    spoil(sent.args, head);
    if (percent(1)) sent.args[0] = "nosuchcommand";
    if (percent(10)) lower(sent.args[0]);
    return sent;
  }

  void words(std::string_view text, std::vector<std::string>& args) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      word(text.substr(0, end), args);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void word(std::string_view text, std::vector<std::string>& args) {
    if (text.front() == '?') {
      if (percent(50)) word(text.substr(1), args);
    } else if (text.front() == '+') {
      for (std::size_t times = 1 + below(3); times > 0; --times) word(text.substr(1), args);
    } else if (text.find('|') != std::string_view::npos) {
      std::vector<std::string_view> options;
      for (std::size_t end = text.find('|'); end != std::string_view::npos; end = text.find('|')) {
        options.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
      }
      options.push_back(text);
      word(options[below(options.size())], args);
    } else if (const std::size_t equal = text.find('='); equal != std::string_view::npos) {
      args.emplace_back(text.substr(0, equal));
      word(text.substr(equal + 1), args);
    } else {
      args.push_back(text.size() == 1 && text.front() >= 'a' ? argument(text.front()) : std::string(text));
    }
  }

  template <std::size_t N>
  std::string one_of(const std::array<std::string_view, N>& choices) { return std::string(choices[below(N)]); }

  /// Numbers are mostly sensible ones: they stand first.
  template <std::size_t N>
  std::string mostly_first(const std::array<std::string_view, N>& choices, std::size_t first) {
    return std::string(choices[below(percent(75) ? first : N)]);
  }

  std::string argument(char kind) {
    switch (kind) {
      case 'k': return one_of(keys);
      case 'i': return mostly_first(integers, 9);
      case 'f': return mostly_first(floats, 8);
      case 'm': return mostly_first(members, 7);
      case 's': return mostly_first(scores, 10);
      case 'l': return mostly_first(lexical, 7);
      case 'p': return one_of(patterns);
      case 'c': return one_of(channels);
      case 't': return mostly_first(lives, 4);
      case 'd': return mostly_first(databases, 4);
      case 'a': return one_of(scripts);
      case 'b': return mostly_first(timeouts, 4);
      default: return mostly_first(values, 6);
    }
  }

  /// Now and then one argument too many, too few, or one of another kind.
  void spoil(std::vector<std::string>& args, std::size_t head) {
    if (percent(92)) return;
    const std::size_t way = below(3);
    if (way == 0) {
      args.push_back(argument("kvim"[below(4)]));
    } else if (args.size() > head) {
      const std::size_t place = head + below(args.size() - head);
      if (way == 1) args.erase(args.begin() + static_cast<std::ptrdiff_t>(place));
      if (way == 2) args[place] = argument("kvifmslt"[below(8)]);
    }
  }

  static void lower(std::string& text) {
    for (char& letter : text) {
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + ('a' - 'A'));
    }
  }

  /// One call of the command by a script; or several, each with the number of its arguments before it.
  void into_script(Sent& sent, const std::vector<bool>& simulated) {
    constexpr std::array bodies{"return redis.call(unpack(ARGV))"sv, "return redis.call(unpack(ARGV))"sv, "return redis.pcall(unpack(ARGV))"sv,
        "redis.setresp(3) return redis.call(unpack(ARGV))"sv, "local r=redis.pcall(unpack(ARGV)) return type(r)"sv,
        "local r=redis.call(unpack(ARGV)) return r"sv};
    std::vector<std::string> args{"EVAL", "", "0"};
    if (percent(60)) {
      args[1] = one_of(bodies);
      args.insert(args.end(), sent.args.begin(), sent.args.end());
    } else {
      args[1] = several_calls;
      sent.calls.push_back(sent.name);
      append_call(sent.args, args);
      for (std::size_t more = below(4); more > 0; --more) {
        const Sent next = plain(sent.connection, simulated);
        sent.calls.push_back(next.name);
        append_call(next.args, args);
      }
    }
    sent.args = std::move(args);
  }

  static void append_call(const std::vector<std::string>& call, std::vector<std::string>& args) {
    args.push_back(std::to_string(call.size()));
    args.insert(args.end(), call.begin(), call.end());
  }

  rc::Random random_;
  std::size_t family_ = below(shapes().size());  ///< where the neighbours begin
};

/// The calls of a script that makes several, as commands without arguments of their own kept together.
std::vector<std::vector<std::string>> calls_of(const Sent& sent) {
  std::vector<std::vector<std::string>> calls;
  for (std::size_t place = 3; place < sent.args.size();) {
    const std::size_t count = std::stoul(sent.args[place]);
    const auto begin = sent.args.begin() + static_cast<std::ptrdiff_t>(place) + 1;
    calls.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(count));
    place += 1 + count;
  }
  return calls;
}

std::vector<Sent> fewer_calls(const Sent& sent) {
  const std::vector<std::vector<std::string>> calls = calls_of(sent);
  std::vector<Sent> all;
  for (std::size_t place = 0; place < calls.size(); ++place) {
    all.push_back({sent.connection, calls[place], sent.calls[place], {}});
    Sent fewer{sent.connection, {sent.args[0], sent.args[1], sent.args[2]}, sent.name, {}};
    for (std::size_t other = 0; other < calls.size(); ++other) {
      if (other == place) continue;
      fewer.args.push_back(std::to_string(calls[other].size()));
      fewer.args.insert(fewer.args.end(), calls[other].begin(), calls[other].end());
      fewer.calls.push_back(sent.calls[other]);
    }
    if (!fewer.calls.empty()) all.push_back(std::move(fewer));
  }
  return all;
}

rc::Seq<Sent> simpler(const Sent& sent) {
  if (!sent.calls.empty()) return rc::seq::fromContainer(fewer_calls(sent));
  std::vector<Sent> all;
  if (sent.args[0] == "EVAL" && sent.args.size() > 4) {
    Sent bare = sent;
    bare.args.erase(bare.args.begin(), bare.args.begin() + 3);
    all.push_back(bare);
  }
  if (sent.connection != 1) {
    all.push_back(sent);
    all.back().connection = 1;
  }
  for (std::size_t place = sent.args.size(); place-- > 1;) {
    Sent fewer = sent;
    fewer.args.erase(fewer.args.begin() + static_cast<std::ptrdiff_t>(place));
    all.push_back(std::move(fewer));
  }
  return rc::seq::fromContainer(std::move(all));
}

}  // namespace

rc::Gen<Sequence> sequences(std::vector<bool> simulated) {
  return [simulated = std::move(simulated)](const rc::Random& random, int size) {
    return rc::shrinkable::shrinkRecur(Maker(random).sequence(simulated, static_cast<std::size_t>(size)), [](const Sequence& all) {
      return rc::seq::concat(rc::shrink::removeChunks(all), rc::shrink::eachElement(all, simpler));
    });
  };
}

Sequence with_end(Sequence sequence) {
  std::set<int> connections;
  for (const Sent& sent : sequence) connections.insert(sent.connection);
  for (const int connection : connections) sequence.push_back({connection, {"PING", "the end"}, "PING", {}});
  return sequence;
}

}  // namespace cohsim::fidelity
