#include "fidelity/campaign.h"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>

#include "fidelity/by_design.h"
#include "fidelity/shapes.h"

namespace cohsim::fidelity {

namespace {

constexpr int control = 99;  // the connection that empties the server
constexpr int patience_ms = 150;
constexpr std::array connections{1, 2, 3};

std::string upper(std::string text) {
  for (char& letter : text) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - ('a' - 'A'));
  }
  return text;
}

bool is_option(const std::string& word) {
  return word.size() > 1 && std::all_of(word.begin(), word.end(), [](char letter) { return letter >= 'A' && letter <= 'Z'; });
}

bool fit_for_peer(const Case& fixed) {
  if (fixed.locale != "C") return false;
  for (const Step& step : fixed.steps) {
    if (step.kind == Step::Kind::sleep || step.connection > 3) return false;
    if (step.kind != Step::Kind::send) continue;
    const std::string name = upper(step.args[0]);
    if (name == "CONFIG" || name == "DEBUG" || name == "SHUTDOWN") return false;
  }
  return true;
}

std::string shown(int connection, const std::string& bytes) {
  return frame_line(connection, bytes.empty() ? std::nullopt : std::optional(bytes));
}

}  // namespace

Campaign::Campaign(lua::Interpreter& interpreter, Peer& peer, CampaignSettings settings)
    : interpreter_(interpreter), peer_(peer), settings_(std::move(settings)) {
  find_simulated();
}

/// Asks the fake itself: it says so of what it does not simulate.
void Campaign::find_simulated() {
  for (const Shape& shape : shapes()) {
    Sent sent;
    std::string words(shape.name);
    if (const std::size_t blank = words.find(' '); blank != std::string::npos) {
      sent.args = {words.substr(0, blank), words.substr(blank + 1)};
    } else {
      sent.args = {words};
    }
    bool known = false;
    for (int arguments = 0; arguments < 6; ++arguments) {
      bool judged = true;
      run_fake({sent}, judged);
      known = judged;
      if (!judged) break;
      sent.args.emplace_back("1");
    }
    simulated_.push_back(known);
    if (!known) result_.commands_left_out.emplace(shape.name);
  }
  result_.not_simulated.clear();
}

void Campaign::begin_afresh() {
  static const std::string requests = [] {
    std::string bytes;
    append_request({"FLUSHALL"}, bytes);
    append_request({"SCRIPT", "FLUSH"}, bytes);
    return bytes;
  }();
  peer_.close_all();
  peer_.send(control, requests);
  if (peer_.take(control, 2, 5000).size() != 2) throw std::runtime_error("the real server does not answer any more");
}

std::vector<Campaign::Frame> Campaign::run_fake(const Sequence& sequence, bool& judged) {
  FakeConnections fake(interpreter_, *settings_.personality);
  if (settings_.now_us) fake.set_now_us(settings_.now_us());
  if (settings_.alter) fake.alter(settings_.alter);
  std::vector<Frame> frames;
  for (std::size_t place = 0; place < sequence.size(); ++place) {
    fake.send(sequence[place].connection, sequence[place].args);
    for (const int connection : connections) {
      while (auto frame = fake.take(connection)) frames.push_back({connection, place, std::move(*frame)});
    }
  }
  judged = fake.server().not_simulated().empty();
  if (!judged) ++result_.not_simulated[fake.server().not_simulated()];
  return frames;
}

Campaign::Outcome Campaign::run(const Sequence& sequence) {
  Outcome outcome;
  const std::vector<Frame> frames = run_fake(sequence, outcome.judged);
  if (!outcome.judged) return outcome;
  begin_afresh();
  for (std::size_t begin = 0; begin < sequence.size() && outcome.differences.empty();) {
    std::size_t end = begin;
    std::string bytes;
    for (; end < sequence.size() && sequence[end].connection == sequence[begin].connection; ++end) {
      append_request(sequence[end].args, bytes);
    }
    peer_.send(sequence[begin].connection, bytes);
    compare_batch(sequence, frames, begin, end, outcome);
    begin = end;
  }
  if (counting_) count(sequence, frames);
  return outcome;
}

void Campaign::compare_batch(const Sequence& sequence, const std::vector<Frame>& frames, std::size_t begin,
                             std::size_t end, Outcome& outcome) {
  for (const int connection : connections) {
    std::vector<const Frame*> expected;
    for (const Frame& frame : frames) {
      if (frame.connection == connection && frame.place >= begin && frame.place < end) expected.push_back(&frame);
    }
    const bool sends = sequence[begin].connection == connection;
    if (expected.empty() && !sends) continue;
    std::vector<std::string> got = peer_.take(connection, expected.size(), patience_ms);
    if (sends && end == sequence.size()) {  // is there more than the fake has answered?
      const std::vector<std::string> more = peer_.take(connection, 1, 0);
      got.insert(got.end(), more.begin(), more.end());
    }
    for (std::size_t item = 0; item < std::max(got.size(), expected.size()); ++item) {
      const std::string real = item < got.size() ? got[item] : "";
      const std::string fake = item < expected.size() ? expected[item]->bytes : "";
      const std::size_t place = item < expected.size() ? expected[item]->place : end - 1;
      if (same(comparison_of(sequence, place), real, fake)) continue;
      outcome.differences.push_back({place, connection, real, fake});
      return;
    }
  }
}

void Campaign::count(const Sequence& sequence, const std::vector<Frame>& frames) {
  ++result_.sequences;
  result_.commands += sequence.size();
  result_.replies += frames.size();
  for (const Sent& sent : sequence) {
    result_.commands_covered.insert(sent.name);
    for (const std::string& word : sent.args) {
      if (&word != sent.args.data() && is_option(word)) result_.options_covered.insert(sent.name + ' ' + word);
    }
  }
  for (const Frame& frame : frames) {
    if (frame.bytes.front() == '-') result_.errors_covered.insert(frame.bytes.substr(0, std::min<std::size_t>(frame.bytes.find('\''), 60)));
  }
}

void Campaign::judge(const std::string& origin, rc::Shrinkable<Sequence> sequence) {
  Outcome outcome = run(sequence.value());
  if (outcome.differences.empty()) return;
  constexpr int tries_max = 2000;
  counting_ = false;
  bool shorter = true;
  for (int tries = 0; shorter && tries < tries_max;) {
    shorter = false;
    auto shrinks = sequence.shrinks();
    for (auto next = shrinks.next(); next && tries < tries_max; next = shrinks.next(), ++tries) {
      Outcome smaller = run(next->value());
      if (smaller.differences.empty()) continue;
      outcome = std::move(smaller);
      sequence = *next;
      shorter = true;
      break;
    }
  }
  counting_ = true;
  const Sequence shortest = sequence.value();
  const Difference& difference = outcome.differences.front();
  std::string text;
  for (std::size_t place = 0; place < shortest.size(); ++place) {
    text += command_line(shortest[place].connection, shortest[place].args) + '\n';
    if (place != difference.place) continue;
    text += shown(difference.connection, difference.real) + "\n   fake: " + shown(difference.connection, difference.fake) + '\n';
  }
  result_.findings.push_back({origin, text});
}

void Campaign::run_cases(const std::vector<Case>& cases) {
  for (const Case& fixed : cases) {
    if (!fit_for_peer(fixed)) continue;
    Sequence sequence;
    for (const Step& step : fixed.steps) {
      if (step.kind == Step::Kind::send) sequence.push_back({step.connection, step.args, upper(step.args[0])});
    }
    ++result_.cases;
    judge("case " + fixed.name, rc::shrinkable::shrinkRecur(std::move(sequence), [](const Sequence& all) {
            return rc::shrink::removeChunks(all);
          }));
  }
}

void Campaign::run_sequences() {
  for (std::uint64_t done = 0; done < settings_.sequences; ++done) {
    if (result_.findings.size() >= settings_.findings_max) {
      result_.left = settings_.sequences - done;
      return;
    }
    const std::uint64_t seed = settings_.from + done;
    judge(fmt::format("seed {}", seed), sequence_of(seed, simulated_));
    if (settings_.progress) settings_.progress(done + 1);
  }
}

std::string to_text(const CampaignResult& result) {
  std::string text;
  for (const Finding& finding : result.findings) text += fmt::format("DIFFERS: {}\n{}\n", finding.origin, finding.text);
  text += fmt::format("{} sequences ({} of them fixed cases), {} commands sent, {} replies compared\n", result.sequences,
                      result.cases, result.commands, result.replies);
  text += fmt::format("covered: {} commands, {} options, {} error texts\n", result.commands_covered.size(),
                      result.options_covered.size(), result.errors_covered.size());
  if (!result.commands_left_out.empty()) {
    text += fmt::format("not simulated, left out: {}\n", fmt::join(result.commands_left_out, ", "));
  }
  for (const auto& [what, times] : result.not_simulated) text += fmt::format("not judged, met {}: {} sequences\n", what, times);
  if (result.left != 0) text += fmt::format("ended behind that many differences: {} sequences were not run\n", result.left);
  return text + fmt::format("{} differences\n", result.findings.size());
}

}  // namespace cohsim::fidelity
