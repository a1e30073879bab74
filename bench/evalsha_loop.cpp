// One EVALSHA of :coherence_drop after another through the fake server, for counting instructions.
//   evalsha_loop keep|drop N
// The same row, version and modes as lua_floor.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "lua/interpreter.h"
#include "lua/script_source.h"
#include "sim/valkey/server.h"

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: evalsha_loop keep|drop N\n"), 2;
  const bool drop = std::string(argv[1]) == "drop";
  const long count = std::atol(argv[2]);
  cohsim::lua::Interpreter interpreter;
  cohsim::valkey::Server server(interpreter, {});
  const auto& script = cohsim::lua::bundled_coherence_drop();
  const std::string key = "ecc:{users}:USR0KHTOWnGLuC";
  const std::string row = std::string(drop ? "TXN0KHTOWnGLuB" : "TXN0KHTOWnGLuC") + "a value of some size";
  const std::vector<std::string> load = {"SCRIPT", "LOAD", script.text};
  const std::vector<std::string> set = {"SET", key, row};
  const std::vector<std::string> evalsha = {"EVALSHA", script.sha1, "1", key, "TXN0KHTOWnGLuC"};
  std::int64_t now_us = 1'800'000'000'000'000;
  server.execute(1, load, now_us);
  server.execute(1, set, now_us);
  long sum = 0;
  for (long i = 0; i < count; ++i) {
    if (drop) server.execute(1, set, now_us);
    sum += server.execute(1, evalsha, ++now_us).integer;
  }
  return sum == (drop ? count : 0) ? 0 : 1;
}
