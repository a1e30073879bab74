// Worker processes, so that a crash of one run is a result and not the end of the gate. No threads.
//
// Each worker takes a chunk of seeds of one scenario and answers one frame a run. A worker that dies in the middle of a
// chunk is the outcome of the seed that it was in; a new one does the rest of the chunk. A worker whose run met an
// internal error is replaced too: what that left behind must not colour another run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/outcome.h"

namespace cohsim {

struct Chunk {
  std::uint64_t scenario = 0;  ///< whatever number `execute` understands
  std::uint64_t first = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 0;
};

class WorkerPool {
 public:
  /// Runs in the worker; must not throw.
  using Execute = std::function<RunOutcome(std::uint64_t scenario, std::uint64_t seed)>;
  struct Done {
    std::uint64_t ticket;
    RunOutcome outcome;
  };

  /// `workers` at least 1. Workers start when there is work for them. A run that takes more of the processor's time than
  /// `run_limit_s` ends its worker, as a crash does.
  WorkerPool(unsigned workers, Execute execute, int run_limit_s = 300);
  /// Ends what still runs.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] bool has_idle() const { return busy() < limit_; }
  [[nodiscard]] std::size_t busy() const;
  /// Requires has_idle(). The outcomes come with this ticket, in seed order. Throws InternalError when the system gives
  /// no process.
  void give(std::uint64_t ticket, const Chunk& chunk);
  /// What came in within the time; a signal ends the wait early.
  [[nodiscard]] std::vector<Done> wait(int timeout_ms);
  /// (scenario, seed) of every run under way, sorted.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> in_progress() const;
  void kill_all();

 private:
  struct Work {
    std::uint64_t ticket;
    Chunk chunk;
    std::uint64_t next = 0;  // index in the chunk of the run under way
  };
  struct Worker {
    pid_t pid = -1;
    int socket = -1;
    std::string received;
    std::optional<Work> work;
    bool leaving = false;  // it answered a fault and ends by itself
  };

  Worker spawn();
  void hand_over(Worker& worker, const Work& work);
  void take_frames(Worker& worker, std::vector<Done>& done);
  void bury(Worker& worker, std::vector<Done>& done);

  std::size_t limit_;
  Execute execute_;
  int run_limit_s_;
  std::vector<Worker> workers_;
};

}  // namespace cohsim
