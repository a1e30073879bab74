#include "fidelity/campaign.h"

#include <fmt/format.h>
#include <poll.h>
#include <rapidcheck.h>

#include <algorithm>

#include "fidelity/shapes.h"
#include "lua/collation.h"

namespace cohsim::fidelity {

namespace {

constexpr int longest_sequence = 13;

std::string upper(std::string text) {
  for (char& letter : text) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - ('a' - 'A'));
  }
  return text;
}

std::string shown(int connection, const std::string& bytes) {
  constexpr std::size_t longest = 1000;
  std::string line = frame_line(connection, bytes.empty() ? std::nullopt : std::optional(bytes.substr(0, longest)));
  if (bytes.size() > longest) line += fmt::format(" … {} bytes in all", bytes.size());
  return line;
}

Sequence sequence_of(const Case& fixed) {
  Sequence sequence;
  std::int64_t pause_ms = 0;
  for (const Step& step : fixed.steps) {
    if (step.kind == Step::Kind::sleep) pause_ms += step.sleep_ms;
    if (step.kind != Step::Kind::send) continue;
    sequence.push_back({step.connection, step.args, upper(step.args[0]), {}, pause_ms});
    pause_ms = 0;
  }
  return sequence;
}

/// Behind all that one read brought, the real server sends broadcast invalidations and goes on with clients that were
/// blocked: one command a read, then.
bool goes_singly(const Sequence& sequence) {
  return std::any_of(sequence.begin(), sequence.end(), [](const Sent& sent) {
    return sent.name.starts_with("B") || std::find(sent.args.begin(), sent.args.end(), "BCAST") != sent.args.end();
  });
}

/// Whether the command's own connection receives anything behind it.
bool is_answered(const FakeRun& run, int connection, std::size_t place) {
  return std::any_of(run.frames.begin(), run.frames.end(),
                     [&](const FakeFrame& frame) { return frame.connection == connection && frame.place == place; });
}

bool changes_settings(const Sequence& sequence) {
  return std::any_of(sequence.begin(), sequence.end(), [](const Sent& sent) { return sent.name == "CONFIG" || sent.name == "DEBUG"; });
}

}  // namespace

Campaign::Campaign(lua::Interpreter& interpreter, Peer& peer, CampaignSettings settings)
    : interpreter_(interpreter), peer_(peer), settings_(std::move(settings)), fresh_(peer) {
  find_simulated();
}

/// Asks the fake itself: it says so of what it does not simulate.
void Campaign::find_simulated() {
  for (const Shape& shape : shapes()) {
    Sent sent;
    const std::string words(shape.name);
    sent.args = {words};
    if (const std::size_t blank = words.find(' '); blank != std::string::npos) {
      sent.args = {words.substr(0, blank), words.substr(blank + 1)};
    }
    bool known = true;
    for (int arguments = 0; arguments < 6 && known; ++arguments) {
      FakeConnections fake(interpreter_, *settings_.personality);
      known = run_on_fake(fake, {sent}).not_simulated.empty();
      sent.args.emplace_back("1");
    }
    simulated_.push_back(known);
    if (!known) result_.commands_left_out.emplace(shape.name);
  }
}

Campaign::Outcome Campaign::run(const Sequence& sequence) {
  Outcome outcome;
  FakeConnections fake(interpreter_, *settings_.personality, locale_, speed_);
  if (settings_.now_us) fake.set_now_us(settings_.now_us());
  fake.spoil(settings_.spoil);
  outcome.fake = run_on_fake(fake, sequence);
  if (!outcome.fake.not_simulated.empty()) return outcome;
  if (settings_changed_) restart(locale_);
  settings_changed_ = changes_settings(sequence);
  const bool singly = in_cases_ || goes_singly(sequence);
  for (std::size_t begin = 0; begin < sequence.size() && outcome.differences.empty() && !outcome.parted;) {
    std::string bytes;
    if (sequence[begin].pause_ms > 0) ::poll(nullptr, 0, static_cast<int>(sequence[begin].pause_ms));
    std::size_t end = begin;
    do {
      append_request(sequence[end].args, bytes);
      ++end;
    } while (!singly && end < sequence.size() && sequence[end].connection == sequence[begin].connection && sequence[end].pause_ms == 0);
    if (begin == 0) {
      fresh_.begin(sequence[begin].connection, bytes);
    } else {
      peer_.send(sequence[begin].connection, bytes);
    }
    compare_batch(sequence, begin, end, outcome);
    if (!is_answered(outcome.fake, sequence[begin].connection, end - 1)) fresh_.wait_until_heard();
    begin = end;
  }
  fresh_.used(sequence, outcome.fake.leaves_blocked || !outcome.differences.empty() || outcome.parted);
  return outcome;
}

void Campaign::compare_batch(const Sequence& sequence, std::size_t begin, std::size_t end, Outcome& outcome) {
  std::map<int, std::vector<const FakeFrame*>> expected;
  expected[sequence[begin].connection];
  for (const FakeFrame& frame : outcome.fake.frames) {
    if (frame.place >= begin && frame.place < end) expected[frame.connection].push_back(&frame);
  }
  for (const auto& [connection, frames] : expected) {
    const std::vector<std::string> got = peer_.take(connection, frames.size(), patience_ms_);
    for (std::size_t item = 0; item < frames.size(); ++item) {
      const std::string real = item < got.size() ? got[item] : "";
      const Verdict verdict = compare(frames[item]->how, real, frames[item]->bytes);
      if (verdict == Verdict::differs) outcome.differences.push_back({frames[item]->place, connection, real, frames[item]->bytes});
      outcome.parted = verdict == Verdict::parted;
      if (verdict != Verdict::same) return;
    }
  }
}

void Campaign::judge(const std::string& origin, const rc::Shrinkable<Sequence>& sequence) {
  const Sequence whole = with_end(sequence.value());
  Outcome outcome = run(whole);
  if (!outcome.fake.not_simulated.empty()) {
    ++result_.not_simulated[outcome.fake.not_simulated];
    return;
  }
  if (outcome.parted) ++result_.parted;
  if (outcome.fake.loosened) ++result_.loosened;
  if (outcome.differences.empty() && outcome.parted) return;
  if (outcome.differences.empty()) return result_.coverage.add(whole, outcome.fake.frames);
  const Difference first = outcome.differences.front();
  const int patience_ms = std::exchange(patience_ms_, 5000);
  outcome = run(whole);
  patience_ms_ = patience_ms;
  if (outcome.differences.empty()) {
    result_.unsteady.push_back({origin, text_of(whole, first), whole.size()});
    return;
  }
  shrink(origin, sequence, std::move(outcome));
}

void Campaign::shrink(const std::string& origin, rc::Shrinkable<Sequence> sequence, Outcome outcome) {
  constexpr int tries_max = 2000;
  bool shorter = true;
  for (int tries = 0; shorter && tries < tries_max;) {
    shorter = false;
    auto shrinks = sequence.shrinks();
    for (auto next = shrinks.next(); next && tries < tries_max; next = shrinks.next(), ++tries) {
      Outcome smaller = run(with_end(next->value()));
      if (smaller.differences.empty()) continue;
      outcome = std::move(smaller);
      sequence = *next;
      shorter = true;
      break;
    }
  }
  result_.findings.push_back({origin, text_of(with_end(sequence.value()), outcome.differences.front()), sequence.value().size()});
}

std::string Campaign::text_of(const Sequence& sequence, const Difference& difference) {
  std::string text;
  for (std::size_t place = 0; place < sequence.size(); ++place) {
    if (sequence[place].pause_ms > 0) text += fmt::format("@sleep {}\n", sequence[place].pause_ms);
    text += command_line(sequence[place].connection, sequence[place].args) + '\n';
    if (place != difference.place) continue;
    text += shown(difference.connection, difference.real) + "\n   fake: " + shown(difference.connection, difference.fake) + '\n';
  }
  return text;
}

bool Campaign::restart(const std::string& locale) {
  if (!peer_.restart(locale)) return false;
  locale_ = locale;
  settings_changed_ = false;
  fresh_.used({}, true);
  return true;
}

/// Brings the real server into the state that a fixed case needs; says why where that cannot be.
std::string Campaign::start_for(const Case& fixed, const Sequence& sequence) {
  if (fixed.locale == locale_ && !changes_settings(sequence)) return "";
  if (!lua::available(fixed.locale)) return "this machine lacks the locale " + fixed.locale;
  return restart(fixed.locale) ? "" : "needs a server that cohsim starts itself";
}

void Campaign::run_cases(const std::vector<Case>& cases) {
  in_cases_ = true;
  for (const Case& fixed : cases) {
    const Sequence sequence = sequence_of(fixed);
    if (const std::string why = start_for(fixed, sequence); !why.empty()) {
      result_.cases_left_out.push_back(fixed.name + ": " + why);
      continue;
    }
    ++result_.cases;
    speed_ = speed_of_case(fixed.name);
    const auto open = settings_.open_cases.find(std::string(settings_.personality->name) + ' ' + fixed.name);
    if (open != settings_.open_cases.end()) {
      const bool differs = !run(sequence).differences.empty();
      result_.cases_open.push_back(fixed.name + (differs ? ": " : " (did not differ): ") + open->second);
      continue;
    }
    // Each run of a case that changes settings needs a new server: shown as it stands, then.
    const bool whole = changes_settings(sequence);
    judge("case " + fixed.name, rc::shrinkable::shrinkRecur(sequence, [=](const Sequence& all) {
            return whole ? rc::Seq<Sequence>() : rc::shrink::removeChunks(all);
          }));
  }
  speed_ = {};
  in_cases_ = false;
  if (locale_ != "C") restart("C");
}

void Campaign::run_sequences() {
  const rc::Gen<Sequence> generator = sequences(simulated_);
  std::uint64_t done = 0;
  for (const std::uint64_t first : settings_.seeds) {
    for (std::uint64_t seed = first; seed - first < settings_.sequences; ++seed) {
      if (result_.findings.size() >= settings_.findings_max) {
        result_.left = settings_.sequences * settings_.seeds.size() - done;
        return;
      }
      judge(fmt::format("seed {}", seed), generator(rc::Random(seed), longest_sequence));
      ++done;
      if (settings_.progress) settings_.progress(done);
    }
  }
}

}  // namespace cohsim::fidelity
