#include "fidelity/coverage.h"

#include <algorithm>

namespace cohsim::fidelity {

namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && std::all_of(word.begin(), word.end(), [](char letter) { return letter >= 'A' && letter <= 'Z'; });
}

std::string error_text(const std::string& frame) {
  constexpr std::size_t longest = 60;
  const std::size_t end = std::min({frame.find('\''), frame.find('\r'), frame.find(" script: "), longest});
  return frame.substr(1, end - 1);
}

}  // namespace

void Coverage::add(const Sequence& sequence, const std::vector<FakeFrame>& frames) {
  ++sequences;
  sent += sequence.size();
  replies += frames.size();
  for (const Sent& one : sequence) {
    const bool scripted = one.args[0] == "EVAL" && one.name != "EVAL";
    const std::vector<std::string> names = one.calls.empty() ? std::vector{one.name} : one.calls;
    for (const std::string& name : names) {
      ++commands[name].sent;
      if (scripted) ++commands[name].in_scripts;
    }
    if (!one.calls.empty()) continue;
    for (std::size_t place = scripted ? 4 : 1; place < one.args.size(); ++place) {
      const bool subcommand = one.name.ends_with(" " + one.args[place]);
      if (is_option(one.args[place]) && !subcommand) commands[one.name].options.insert(one.args[place]);
    }
  }
  for (const FakeFrame& frame : frames) {
    if (frame.bytes.front() == '-') commands[sequence[frame.place].name].errors.insert(error_text(frame.bytes));
  }
}

std::size_t Coverage::options() const {
  std::size_t all = 0;
  for (const auto& [name, command] : commands) all += command.options.size();
  return all;
}

std::size_t Coverage::errors() const {
  std::set<std::string> all;
  for (const auto& [name, command] : commands) all.insert(command.errors.begin(), command.errors.end());
  return all.size();
}

}  // namespace cohsim::fidelity
