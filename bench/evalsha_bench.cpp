// How long one EVALSHA of :coherence_drop takes through the fake server.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "lua/interpreter.h"
#include "lua/script_source.h"
#include "sim/valkey/server.h"

namespace {

constexpr std::int64_t start_us = 1'800'000'000'000'000;

void evalsha(benchmark::State& state, const std::string& row_version) {
  cohsim::lua::Interpreter interpreter;
  cohsim::valkey::Server server(interpreter, {});
  const auto& script = cohsim::lua::bundled_coherence_drop();
  const std::string key = "ecc:{users}:USR0KHTOWnGLuC";
  const std::vector<std::string> load = {"SCRIPT", "LOAD", script.text};
  const std::vector<std::string> set = {"SET", key, row_version + "a value of some size"};
  const std::vector<std::string> call = {"EVALSHA", script.sha1, "1", key, "TXN0KHTOWnGLuC"};
  server.execute(1, load, start_us);
  server.execute(1, set, start_us);
  std::int64_t now_us = start_us;
  for ([[maybe_unused]] const auto step : state) {
    const auto reply = server.execute(1, call, ++now_us);
    if (reply.is_integer(1)) server.execute(1, set, now_us);
    benchmark::DoNotOptimize(reply.integer);
  }
}

}  // namespace

BENCHMARK_CAPTURE(evalsha, keep, "TXN0KHTOWnGLuC");
BENCHMARK_CAPTURE(evalsha, drop, "TXN0KHTOWnGLuB");
BENCHMARK_MAIN();
