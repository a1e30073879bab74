#include "fuzz/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "fidelity/fake_connections.h"
#include "fidelity/frames.h"
#include "lua/interpreter.h"
#include "sim/valkey/command.h"
#include "sim/valkey/request_parser.h"

namespace cohsim::fuzz {

namespace {

constexpr std::array table{Target{"resp", run_resp}, Target{"commands", run_commands}, Target{"script", run_script}};
/// Enough for any script that means to end; a fuzzer writes few that do.
constexpr fidelity::ScriptSpeed speed{200'000, 10'000};

lua::Interpreter& interpreter() {
  static lua::Interpreter shared;
  return shared;
}

unsigned first_byte(std::string_view& bytes) {
  if (bytes.empty()) return 0;
  const auto first = static_cast<unsigned char>(bytes.front());
  bytes.remove_prefix(1);
  return first;
}

const valkey::Personality& personality(unsigned choice) {
  return choice % 2 == 0 ? valkey::valkey_8() : valkey::redis_7_0();
}

/// The requests that come out of bytes which arrive in pieces, as text.
std::string requests_of(std::string_view bytes, std::size_t piece) {
  constexpr valkey::RequestLimits limits{1000, 10'000, 200};
  valkey::RequestReader reader;
  std::string all;
  const std::size_t length = bytes.size();
  while (!bytes.empty()) {
    const std::size_t size = std::min(piece, bytes.size());
    reader.append(bytes.substr(0, size));
    bytes.remove_prefix(size);
    for (;;) {
      const valkey::ParsedRequest request = reader.next(limits);
      if (request.state == valkey::ParsedRequest::State::incomplete) break;
      all += fmt::format("{} {} {}\n", static_cast<int>(request.state), request.error, fmt::join(request.args, "|"));
      if (request.state == valkey::ParsedRequest::State::broken) return all;
      if (request.args.size() > limits.arguments) throw std::logic_error("more arguments than the limit");
    }
  }
  if (reader.steps() > 3 * length) throw std::logic_error("more work than its bytes are worth");
  return all;
}

void check_frames(fidelity::FakeConnections& fake, int connection) {
  const std::string bytes = fake.take_all(connection);
  if (!are_frames(bytes)) throw std::logic_error("not so many whole frames: " + bytes.substr(0, 200));
}

}  // namespace

bool are_frames(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = fidelity::frame_length(bytes);
    if (length == 0 || length > bytes.size()) return false;  // unfinished, or no RESP at all
    bytes.remove_prefix(length);
  }
  return true;
}

void run_resp(std::string_view bytes) {
  const std::size_t piece = 1 + first_byte(bytes) % 16;
  if (requests_of(bytes, bytes.size() + 1) != requests_of(bytes, piece)) throw std::logic_error("pieces are read otherwise than the whole");
}

void run_commands(std::string_view bytes) {
  fidelity::FakeConnections fake(interpreter(), personality(first_byte(bytes)), "C", speed);
  int last = 1;
  std::array<bool, 3> unlooked{};
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
    last = 1;
    if (line.starts_with('2') || line.starts_with('3')) {
      last = line.front() - '0';
      line.remove_prefix(1);
    }
    std::vector<std::string> args;
    for (std::size_t end = line.find('\t'); end != std::string_view::npos; end = line.find('\t')) {
      args.emplace_back(line.substr(0, end));
      line.remove_prefix(end + 1);
    }
    args.emplace_back(line);
    fake.send(last, args);
    fake.sleep_ms(1);
    // CLIENT REPLY inside of a transaction leaves an EXEC short, on the real server too: that connection is not looked at any more.
    unlooked[last - 1] |= std::any_of(args.begin(), args.end(), [](const std::string& arg) { return valkey::is_word(arg, "REPLY"); });
    for (const int connection : {1, 2, 3}) {
      if (!unlooked[connection - 1]) check_frames(fake, connection);
    }
  }
}

void run_script(std::string_view bytes) {
  fidelity::FakeConnections fake(interpreter(), personality(first_byte(bytes)), "C", speed);
  fake.send(1, {"SET", "k", "VRS0KxJm3Qz9aBvalue", "PX", "1000"});
  fake.send(1, {"EVAL", std::string(bytes), "1", "k", "VRS0KxJm3Qz9aC"});
  fake.sleep_ms(100);
  check_frames(fake, 1);
}

std::span<const Target> targets() { return table; }

}  // namespace cohsim::fuzz
