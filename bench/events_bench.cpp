// Simulated events a second with all oracles on, and whether memory stays flat: the scenario with every fault at once.
//   events_bench                                  events/s, one core
//   events_bench --benchmark_filter=flat_memory   a million events in one run; resident memory on the way. Oracles of the
//                                                 guarantees forget what cannot matter; some system-level ones (unique
//                                                 versions, authentic frames) remember every write of the run
#include <benchmark/benchmark.h>

#include <fstream>
#include <string>
#include <vector>

#include "properties/bundled_scenarios.h"
#include "properties/run.h"

namespace {

using namespace cohsim;

Scenario every_fault() {
  for (const Scenario& scenario : bundled_scenarios()) {
    if (scenario.name == "every_fault_at_once") return scenario;
  }
  throw std::runtime_error("scenarios/guarantees/every_fault_at_once.lua is not there");
}

long resident_kib() {
  std::ifstream status("/proc/self/statm");
  long total = 0, resident = 0;
  status >> total >> resident;
  return resident * 4;
}

void events(benchmark::State& state) {
  const Scenario scenario = every_fault();
  RunOptions options;
  options.all_oracles = true;
  std::uint64_t seed = 0, steps = 0;
  for (auto _ : state) steps += run_once(scenario, ++seed, options).steps;
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
}
BENCHMARK(events)->Unit(benchmark::kMillisecond);

/// Notes the resident memory as the run goes by.
struct MemoryWatch final : TraceSink {
  void event(const When& when, std::string_view, std::span<const Field>) override {
    if (when.step < next_step) return;
    next_step += 100'000;
    resident.push_back(resident_kib());
  }
  std::uint64_t next_step = 100'000;
  std::vector<long> resident;  // at every 100 000 events
};

void flat_memory(benchmark::State& state) {
  Scenario scenario = every_fault();
  // The same pace for longer: about 26 events an operation.
  scenario.workload.over_us = scenario.workload.over_us / scenario.workload.operations * 46'000;
  scenario.workload.operations = 46'000;
  RunOptions options;
  options.all_oracles = state.range(0) != 0;
  MemoryWatch watch;
  options.sink = &watch;
  for (auto _ : state) {
    const RunResult result = run_once(scenario, 1, options);
    state.counters["events"] = static_cast<double>(result.steps);
    state.counters["KiB at 200k"] = static_cast<double>(watch.resident.at(1));
    state.counters["KiB at 1M"] = static_cast<double>(watch.resident.at(9));
  }
}
BENCHMARK(flat_memory)->ArgName("system_level")->Arg(0)->Arg(1)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();
