#include "sim/task.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "testing/catch.h"

namespace cohsim {
namespace {

template <class T>
void run(const Task<T>& task) {
  detail::run_until_parked(task.handle());
}

Task<int> number(int value) { co_return value; }

Task<long> sum(int count) {
  long total = 0;
  for (int i = 1; i <= count; ++i) {
    const int next = co_await number(i);
    total += next;
  }
  co_return total;
}

TEST_CASE("a task starts when it is awaited, not before") {
  bool started = false;
  const auto body = [&]() -> Task<void> {
    started = true;
    co_return;
  };
  const Task<void> task = body();
  CHECK_FALSE(started);
  CHECK_FALSE(task.done());
  run(task);
  CHECK(started);
  CHECK(task.done());
}

TEST_CASE("awaiting gives the value") {
  Task<long> task = sum(10);
  run(task);
  CHECK(task.await_resume() == 55);
}

TEST_CASE("values that can only be moved travel") {
  const auto make = []() -> Task<std::unique_ptr<std::string>> { co_return std::make_unique<std::string>("here"); };
  Task<std::unique_ptr<std::string>> task = make();
  run(task);
  CHECK(*task.await_resume() == "here");
}

Task<int> throws() {
  throw std::runtime_error("from below");
  co_return 0;
}

TEST_CASE("an exception passes through whoever awaits, and can be caught there") {
  const auto catches = []() -> Task<std::string> {
    std::string caught;
    try {
      co_await throws();
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    co_return caught;
  };
  Task<std::string> task = catches();
  run(task);
  CHECK(task.await_resume() == "from below");

  const auto passes_on = []() -> Task<int> { co_return co_await throws(); };
  Task<int> uncaught = passes_on();
  run(uncaught);
  CHECK(uncaught.error() != nullptr);
  CHECK_THROWS_AS(uncaught.await_resume(), std::runtime_error);
}

Task<int> deep(int depth) {
  if (depth == 0) co_return 0;
  const int below = co_await deep(depth - 1);
  co_return below + 1;
}

TEST_CASE("a million awaits in a row need no stack") {
  Task<long> task = sum(1'000'000);
  run(task);
  CHECK(task.await_resume() == 500'000'500'000);
}

TEST_CASE("awaits may nest deeply") {
  Task<int> task = deep(10'000);
  run(task);
  CHECK(task.await_resume() == 10'000);
}

struct Guard {
  std::vector<std::string>* log;
  std::string name;
  Guard(std::vector<std::string>* to, std::string what) : log(to), name(std::move(what)) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { log->push_back(name); }
};

Task<void> inner(std::vector<std::string>& log) {
  const Guard guard(&log, "inner");
  co_await std::suspend_always();
  log.push_back("never");
}

Task<void> outer(std::vector<std::string>& log) {
  const Guard guard(&log, "outer");
  co_await inner(log);
  log.push_back("never");
}

TEST_CASE("destroying a task destroys the frames below it, innermost first") {
  std::vector<std::string> log;
  {
    const Task<void> task = outer(log);
    run(task);
    CHECK(log.empty());
  }
  CHECK(log == std::vector<std::string>{"inner", "outer"});
}

TEST_CASE("a task that never started can be dropped, moved and replaced") {
  std::vector<std::string> log;
  Task<void> task = outer(log);
  Task<void> other = std::move(task);
  CHECK(task.done());  // NOLINT(bugprone-use-after-move): an empty task is done, and that is what is checked
  CHECK_FALSE(other.done());
  run(other);
  other = outer(log);
  CHECK(log == std::vector<std::string>{"inner", "outer"});
  CHECK_FALSE(other.done());
}

TEST_CASE("frames of one size are used again without touching one another") {
  std::vector<Task<int>> tasks;
  for (int round = 0; round < 3; ++round) {
    tasks.clear();
    for (int i = 0; i < 100; ++i) tasks.push_back(number(round * 1000 + i));
    for (const Task<int>& task : tasks) run(task);
    for (int i = 0; i < 100; ++i) REQUIRE(tasks[static_cast<std::size_t>(i)].await_resume() == round * 1000 + i);
  }
}

Task<std::size_t> large() {
  char buffer[8000] = {};
  co_await std::suspend_always();
  buffer[7999] = 1;
  co_return static_cast<std::size_t>(buffer[7999]) + sizeof buffer;
}

TEST_CASE("frames too large for the pool work alike") {
  Task<std::size_t> task = large();
  run(task);
  run(task);
  CHECK(task.await_resume() == 8001);
}

}  // namespace
}  // namespace cohsim
