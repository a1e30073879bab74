#include "properties/gate.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>

#include "properties/gate_fake.h"
#include "testing/catch.h"

using namespace cohsim;
using fake::bad;
using fake::good;

namespace {

std::int64_t real_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

const std::vector<Scenario> three = {fake::scenario("one"), fake::hazard("two", "p"), fake::scenario("three")};

// Holds but for: `two` breaks p in seeds divisible by 5, `three` breaks q in seeds 23 and 31.
RunResult mixed(const Scenario& scenario, std::uint64_t seed, const RunOptions&) {
  if (scenario.name == "two" && seed % 5 == 0) return bad(seed, "p");
  if (scenario.name == "three" && (seed == 23 || seed == 31)) return bad(seed, "q");
  return good(seed);
}

void check_same(const GateResult& a, const GateResult& b) {
  CHECK(a.results_hash == b.results_hash);
  CHECK(a.runs == b.runs);
  CHECK(a.steps == b.steps);
  CHECK(a.branches == b.branches);
  CHECK(a.measures == b.measures);
  CHECK(to_int(a.exit_code) == to_int(b.exit_code));
  REQUIRE(a.scenarios.size() == b.scenarios.size());
  for (std::size_t i = 0; i < a.scenarios.size(); ++i) {
    CHECK(a.scenarios[i].hashes == b.scenarios[i].hashes);
    CHECK(name_of(a.scenarios[i].verdict) == name_of(b.scenarios[i].verdict));
    CHECK(a.scenarios[i].runs == b.scenarios[i].runs);
  }
}

}  // namespace

TEST_CASE("the gate runs every seed of every scenario and adds up") {
  const GateResult result = run_gate(three, mixed, fake::options(40));
  CHECK(result.runs == 120);
  CHECK(to_int(result.exit_code) == 1);
  REQUIRE(result.scenarios.size() == 3);
  CHECK(name_of(result.scenarios[0].verdict) == "held");
  CHECK(name_of(result.scenarios[1].verdict) == "violated_as_expected");
  const auto& q = result.scenarios[2].properties.at("q");
  CHECK(q.failing_seeds == 2);
  REQUIRE(q.first);
  CHECK(q.first->seed == 23);
  CHECK(q.first->violation.step == 7);
  CHECK(result.scenarios[0].hashes.size() == 21);  // two seeds share each
  CHECK(result.branches.at("absent") == 120);
  CHECK(result.faults.at("crash") == 0);
  CHECK(result.measures.at("staleness_us_max") == 40);
  CHECK(result.exercised.at("p") == 120);
  CHECK(result.exercised.at("never_seen") == 0);
}

TEST_CASE("results do not depend on the number of workers") {
  const GateResult one = run_gate(three, mixed, fake::options(100, 1));
  check_same(one, run_gate(three, mixed, fake::options(100, 4)));
  const RunFunction other = [](const Scenario& s, std::uint64_t seed, const RunOptions& o) {
    RunResult result = mixed(s, seed, o);
    if (s.name == "one" && seed == 99) ++result.hash;
    return result;
  };
  CHECK(run_gate(three, other, fake::options(100, 4)).results_hash != one.results_hash);
}

TEST_CASE("hazards keep their seeds whatever --from says") {
  GateOptions options = fake::options(10);
  options.settings.from = 1000;
  const GateResult result = run_gate(three, mixed, options);
  CHECK(result.scenarios[0].seeds.first == 1000);
  CHECK(result.scenarios[1].seeds.first == 1);
  CHECK(result.scenarios[1].properties.at("p").failing_seeds == 2);
}

TEST_CASE("a worker that dies is the result of its seed, and the others go on") {
  const RunFunction crashing = [](const Scenario& scenario, std::uint64_t seed, const RunOptions& options) {
    if (scenario.name == "one" && seed == 13) ::raise(SIGKILL);
    if (scenario.name == "one" && seed == 17) ::_exit(99);
    if (scenario.name == "one" && seed == 19) throw InternalError("two clocks");
    return mixed(scenario, seed, options);
  };
  const GateResult one_job = run_gate(three, crashing, fake::options(40, 1));
  const GateResult result = run_gate(three, crashing, fake::options(40, 3));
  CHECK(to_int(result.exit_code) == 3);
  CHECK(result.runs == 120);
  const ScenarioResult& hit = result.scenarios[0];
  CHECK(name_of(hit.verdict) == "fault");
  REQUIRE(hit.faulty_runs == 3);
  CHECK(hit.faulty[0].seed == 13);
  CHECK(hit.faulty[0].what.find("signal 9") != std::string::npos);
  CHECK(hit.faulty[1].seed == 17);
  CHECK(hit.faulty[1].what.find("status 99") != std::string::npos);
  CHECK(hit.faulty[2].seed == 19);
  CHECK(hit.faulty[2].what == "internal error: two clocks");
  CHECK(name_of(result.scenarios[1].verdict) == "violated_as_expected");
  check_same(one_job, result);
}

TEST_CASE("what shards find adds up to what one run finds") {
  const GateResult whole = run_gate(three, mixed, fake::options(50));
  std::vector<std::uint64_t> sums(3), runs(3);
  std::vector<std::set<std::uint64_t>> hashes(3);
  for (std::uint64_t index = 1; index <= 4; ++index) {
    GateOptions options = fake::options(50);
    options.settings.shard = {index, 4};
    const GateResult part = run_gate(three, mixed, options);
    for (std::size_t i = 0; i < 3; ++i) {
      sums[i] += part.scenarios[i].results_hash;
      runs[i] += part.scenarios[i].runs;
      hashes[i].insert(part.scenarios[i].hashes.begin(), part.scenarios[i].hashes.end());
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(sums[i] == whole.scenarios[i].results_hash);
    CHECK(runs[i] == whole.scenarios[i].runs);
    CHECK(std::vector<std::uint64_t>(hashes[i].begin(), hashes[i].end()) == whole.scenarios[i].hashes);
  }
}

TEST_CASE("with --fail-fast, nothing behind the first failure counts, with any number of workers") {
  GateOptions options = fake::options(60, 1);
  options.fail_fast = true;
  std::vector<Scenario> more = three;
  more.push_back(fake::scenario("four"));
  const GateResult one = run_gate(more, mixed, options);
  options.jobs = 4;
  const GateResult four = run_gate(more, mixed, options);
  CHECK(one.ended == Ended::fail_fast);
  CHECK(to_int(one.exit_code) == 1);
  CHECK(one.scenarios[2].runs == 23);
  CHECK(one.scenarios[3].runs == 0);
  check_same(one, four);
}

TEST_CASE("a budget stops handing out work, what was not decided is exit code 4") {
  const RunFunction slow = [](const Scenario& scenario, std::uint64_t seed, const RunOptions&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return scenario.name == "three" ? bad(seed, "q") : good(seed);
  };
  GateOptions options = fake::options(100'000);
  options.budget_ms = 300;
  options.real_ms = real_ms;
  const GateResult undecided = run_gate({three[0], three[1]}, slow, options);
  CHECK(undecided.ended == Ended::budget);
  CHECK(to_int(undecided.exit_code) == 4);
  CHECK(undecided.scenarios[0].runs > 0);
  CHECK(undecided.scenarios[1].runs > 0);  // scenarios take turns
  CHECK(undecided.runs < 1000);
  CHECK(to_int(run_gate({three[0]}, slow, options).exit_code) == 0);
  CHECK(to_int(run_gate({three[0], three[2]}, slow, options).exit_code) == 1);
}

TEST_CASE("the canary must fail, or the gate does") {
  GateOptions options = fake::options(5);
  options.canary = Canary{fake::hazard("canary", "p"), "p", 3};
  options.settings.only = {"q"};  // not for the canary
  const auto with = [&](bool alive) {
    return run_gate({three[0]},
                    [alive](const Scenario& s, std::uint64_t seed, const RunOptions& o) {
                      return s.name == "canary" && alive && o.only.empty() && seed == 3 ? bad(seed, "p") : good(seed);
                    },
                    options);
  };
  CHECK(to_int(with(true).exit_code) == 0);
  CHECK(with(true).canary.alive);
  CHECK(with(true).runs == 5);
  const GateResult dead = with(false);
  CHECK(to_int(dead.exit_code) == 3);
  CHECK_FALSE(dead.canary.alive);
  CHECK(dead.canary.sentence.find("3 seeds") != std::string::npos);
  CHECK(always_drop_canary().property == "no_newer_row_erased");
}

TEST_CASE("progress comes by the clock that is handed in, and ends below what was wanted") {
  GateOptions options = fake::options(300, 1);
  std::vector<Progress> seen;
  std::int64_t clock = 0;
  options.real_ms = [&clock] { return clock += 40; };
  options.progress = [&seen](const Progress& progress) { seen.push_back(progress); };
  const GateResult result = run_gate(three, mixed, options);
  REQUIRE_FALSE(seen.empty());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    CHECK(seen[i].runs_wanted == 900);
    CHECK(seen[i].runs_done <= 900);
    if (i > 0) CHECK(seen[i].elapsed_ms - seen[i - 1].elapsed_ms >= 100);
  }
  check_same(result, run_gate(three, mixed, fake::options(300, 3)));
}

TEST_CASE("a skipped scenario runs no seed") {
  GateOptions options = fake::options(5);
  options.why_skipped = [](const Scenario& s) { return s.name == "one" ? std::string("no locale") : std::string(); };
  const GateResult result = run_gate({three[0], three[1]}, mixed, options);
  CHECK(result.scenarios[0].runs == 0);
  CHECK(name_of(result.scenarios[0].verdict) == "skipped");
  CHECK(to_int(result.exit_code) == 0);
}

TEST_CASE("gate: --verify-determinism names scenario, seed and first differing step") {
  GateOptions options = fake::options(6);
  options.settings.verify_determinism = true;
  const RunFunction fickle = [](const Scenario&, std::uint64_t seed, const RunOptions& o) {
    static std::uint64_t calls = 0;
    ++calls;
    RunResult result = good(seed);
    if (seed == 4) result.hash += calls;
    if (o.sink != nullptr) {
      const Field fields[] = {{"value", Field::Kind::integer, 1, {}}};
      const Field other[] = {{"value", Field::Kind::integer, static_cast<std::int64_t>(calls), {}}};
      o.sink->event({1, 10, 2, {}}, "same", fields);
      o.sink->event({2, 20, 2, {}}, "drifts", other);
    }
    return result;
  };
  const GateResult result = run_gate({three[0]}, fickle, options);
  CHECK(to_int(result.exit_code) == 3);
  REQUIRE(result.scenarios[0].faulty_runs == 1);
  CHECK(result.scenarios[0].faulty[0].seed == 4);
  const std::string& what = result.scenarios[0].faulty[0].what;
  INFO(what);
  CHECK(what.find("nondeterminism") == 0);
  CHECK(what.find("step 2 at 20 us") != std::string::npos);
  CHECK(what.find("step 1 ") == std::string::npos);
  options.settings.verify_determinism = false;
  CHECK(to_int(run_gate({three[0]}, fickle, options).exit_code) == 0);
}

TEST_CASE("interrupted: what had finished is there, and says that it is partial") {
  const RunFunction slow = [](const Scenario&, std::uint64_t seed, const RunOptions&) {
    if (seed == 3) {
      if (::kill(::getppid(), SIGINT) != 0) ::_exit(1);
      std::this_thread::sleep_for(std::chrono::seconds(60));
    }
    return good(seed);
  };
  const auto began = std::chrono::steady_clock::now();
  const GateResult result = run_gate({three[0], three[2]}, slow, fake::options(10, 1));
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(30));
  CHECK(to_int(result.exit_code) == 130);
  CHECK(result.partial());
  CHECK(result.scenarios[0].runs == 2);
  CHECK(name_of(result.scenarios[0].verdict) == "undecided");
  CHECK(result.in_progress == std::vector<std::string>{"one seed 3"});
}
