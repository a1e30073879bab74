// A run that never ends is the outcome of its seed; the worker's other runs go on.
#include "properties/worker_pool.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "testing/catch.h"

using namespace cohsim;

TEST_CASE("a run that is stuck ends its worker, and the seeds behind it run") {
  const WorkerPool::Execute execute = [](std::uint64_t, std::uint64_t seed) {
    RunOutcome outcome;
    while (seed == 2) {
      static_cast<void>(::getppid());
    }
    return outcome;
  };
  WorkerPool pool(1, execute, 1);
  pool.give(7, Chunk{0, 1, 1, 3});
  std::vector<std::string> faults;  // in seed order
  while (faults.size() < 3) {
    for (const WorkerPool::Done& done : pool.wait(100)) faults.push_back(done.outcome.fault);
  }
  CHECK(faults[0].empty());
  CHECK(faults[1].find("too much processor time") != std::string::npos);
  CHECK(faults[2].empty());
}
