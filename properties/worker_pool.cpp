#include "properties/worker_pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "properties/wire.h"
#include "sim/scheduler.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

namespace cohsim {
namespace {

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receive_chunk(int socket, Chunk& chunk) {
  char* at = reinterpret_cast<char*>(&chunk);
  std::size_t left = sizeof chunk;
  while (left > 0) {
    const ssize_t got = ::recv(socket, at, left, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    left -= static_cast<std::size_t>(got);
  }
  return true;
}

/// A run that takes so much of the processor's time is stuck: a script may keep liblua busy where nothing is counted. The
/// signal ends the worker, which is the outcome of its seed. No result depends on it otherwise.
void limit_processor_time(int seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = seconds;
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

// The worker's whole life. It leaves by _exit: nothing of the parent's (buffers, destructors) may run twice.
[[noreturn]] void serve(int socket, const WorkerPool::Execute& execute, int run_limit_s) noexcept {
  Chunk chunk;
  while (receive_chunk(socket, chunk)) {
    for (std::uint64_t k = 0; k < chunk.count; ++k) {
      limit_processor_time(run_limit_s);
      const RunOutcome outcome = execute(chunk.scenario, chunk.first + k * chunk.stride);
      if (!send_all(socket, encode_frame(outcome)) || !outcome.fault.empty()) ::_exit(0);
    }
  }
  ::_exit(0);
}

std::string_view signal_name(int number) {
  switch (number) {
    case SIGABRT: return "SIGABRT";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    case SIGILL: return "SIGILL";
    case SIGKILL: return "SIGKILL, perhaps out of memory";
    case SIGSEGV: return "SIGSEGV";
    case SIGPROF: return "SIGPROF: the run took too much processor time";
    case SIGXCPU: return "SIGXCPU";
    default: return "a signal";
  }
}

std::string how_it_died(int status) {
  if (WIFSIGNALED(status)) {
    return fmt::format("the worker died of signal {} ({})", WTERMSIG(status), signal_name(WTERMSIG(status)));
  }
  return fmt::format("the worker ended with status {} in the middle of the run", WEXITSTATUS(status));
}

}  // namespace

WorkerPool::WorkerPool(unsigned workers, Execute execute, int run_limit_s)
    : limit_(std::max(1U, workers)), execute_(std::move(execute)), run_limit_s_(run_limit_s) {
  workers_.reserve(limit_);
}

WorkerPool::~WorkerPool() { kill_all(); }

std::size_t WorkerPool::busy() const {
  return static_cast<std::size_t>(
      std::count_if(workers_.begin(), workers_.end(), [](const Worker& w) { return w.work.has_value(); }));
}

WorkerPool::Worker WorkerPool::spawn() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    throw InternalError(fmt::format("no socket for a worker: {}", std::strerror(errno)));
  }
  // What stands in the buffers would otherwise be the child's as well.
  std::fflush(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    const int error = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    throw InternalError(fmt::format("no process for a worker: {}", std::strerror(error)));
  }
  if (pid == 0) {
    // The terminal's Ctrl-C reaches the whole group; stopping is the parent's decision.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    ::signal(SIGHUP, SIG_IGN);
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (::getppid() != parent) ::_exit(0);
    ::close(ends[0]);
    for (const auto& other : workers_) {
      if (other.socket >= 0) ::close(other.socket);
    }
    serve(ends[1], execute_, run_limit_s_);
  }
  ::close(ends[1]);
  Worker worker;
  worker.pid = pid;
  worker.socket = ends[0];
  return worker;
}

void WorkerPool::hand_over(Worker& worker, const Work& work) {
  Chunk rest = work.chunk;
  rest.first += work.next * rest.stride;
  rest.count -= work.next;
  const std::string_view bytes(reinterpret_cast<const char*>(&rest), sizeof rest);
  for (int attempts = 0; worker.pid < 0 || !send_all(worker.socket, bytes); ++attempts) {
    // It died while it had nothing to do (somebody ended it): that is nobody's result.
    if (attempts == 3) throw InternalError("workers die before they take any work");
    std::vector<Done> none;
    worker.work.reset();
    if (worker.pid >= 0) bury(worker, none);
    worker = spawn();
  }
  worker.work = work;
}

void WorkerPool::give(std::uint64_t ticket, const Chunk& chunk) {
  auto free = std::find_if(workers_.begin(), workers_.end(), [](const Worker& w) { return !w.work.has_value(); });
  if (free == workers_.end()) free = workers_.insert(workers_.end(), Worker{});
  hand_over(*free, Work{ticket, chunk, 0});
}

void WorkerPool::take_frames(Worker& worker, std::vector<Done>& done) {
  while (auto outcome = take_frame(worker.received)) {
    if (!worker.work) throw InternalError("a worker answered what nobody asked");
    Work& work = *worker.work;
    worker.leaving = !outcome->fault.empty();
    done.push_back({work.ticket, std::move(*outcome)});
    if (++work.next == work.chunk.count) worker.work.reset();
  }
}

// The worker's socket is closed: what was it doing?
void WorkerPool::bury(Worker& worker, std::vector<Done>& done) {
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(worker.socket);
  std::optional<Work> work = std::move(worker.work);
  const bool expected = worker.leaving;
  worker = Worker{};
  if (!work) return;
  if (!expected) {
    RunOutcome outcome;
    outcome.result.seed = work->chunk.first + work->next * work->chunk.stride;
    outcome.fault = how_it_died(status);
    done.push_back({work->ticket, std::move(outcome)});
    ++work->next;
  }
  if (work->next < work->chunk.count) hand_over(worker, *work);
}

std::vector<WorkerPool::Done> WorkerPool::wait(int timeout_ms) {
  std::vector<pollfd> polled;
  std::vector<std::size_t> who;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i].pid < 0) continue;
    polled.push_back({workers_[i].socket, POLLIN, 0});
    who.push_back(i);
  }
  std::vector<Done> done;
  if (::poll(polled.data(), polled.size(), timeout_ms) <= 0) return done;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents == 0) continue;
    Worker& worker = workers_[who[i]];
    char buffer[65536];
    const ssize_t got = ::recv(worker.socket, buffer, sizeof buffer, 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got > 0) {
      worker.received.append(buffer, static_cast<std::size_t>(got));
      take_frames(worker, done);
    } else {
      bury(worker, done);
    }
  }
  return done;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> WorkerPool::in_progress() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;
  for (const auto& worker : workers_) {
    if (!worker.work) continue;
    const Work& work = *worker.work;
    runs.emplace_back(work.chunk.scenario, work.chunk.first + work.next * work.chunk.stride);
  }
  std::sort(runs.begin(), runs.end());
  return runs;
}

void WorkerPool::kill_all() {
  for (auto& worker : workers_) {
    if (worker.pid < 0) continue;
    ::kill(worker.pid, SIGKILL);
    while (::waitpid(worker.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
    ::close(worker.socket);
    worker = Worker{};
  }
}

}  // namespace cohsim
