// The job queue, command by command, against a list of jobs that is searched from the front.
#include <algorithm>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "model/identity.h"
#include "model/job_queue.h"
#include "properties/rapid.h"
#include "testing/catch.h"

#include <rapidcheck/state.h>

using namespace cohsim;

namespace {

/// The reference: every job in order of its id, and the groups in the order in which they are served.
struct Reference {
  struct Job {
    int number;
    int group;
    JobState state = JobState::pending;
    std::int64_t attempts = 0;
    std::int64_t deadline_ms = 0;
  };
  std::vector<Job> jobs;
  std::list<int> turns;
  std::int64_t now_ms = 1'000;

  [[nodiscard]] const Job* find(int number) const {
    for (const Job& job : jobs)
      if (job.number == number) return &job;
    return nullptr;
  }
  Job* find(int number) { return const_cast<Job*>(std::as_const(*this).find(number)); }
  [[nodiscard]] bool pending(int group) const {
    return std::any_of(jobs.begin(), jobs.end(),
                       [&](const Job& job) { return job.group == group && job.state == JobState::pending; });
  }
  // A group has its turn as long as it has something pending; a new one waits behind the others.
  void settle_turns() {
    turns.remove_if([this](int group) { return !pending(group); });
    for (const Job& job : jobs) {
      const bool waits = std::find(turns.begin(), turns.end(), job.group) != turns.end();
      if (job.state == JobState::pending && !waits) turns.push_back(job.group);
    }
  }
  void enqueue(int number, int group) {
    if (find(number) != nullptr) return;
    jobs.push_back({number, group});
    std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.number < b.number; });
    settle_turns();
  }
  Job* claim() {
    if (turns.empty()) return nullptr;
    const int group = turns.front();
    turns.pop_front();
    const auto oldest = std::find_if(jobs.begin(), jobs.end(), [&](const Job& job) {
      return job.group == group && job.state == JobState::pending;
    });
    oldest->state = JobState::active;
    oldest->deadline_ms = now_ms + 30'000;
    ++oldest->attempts;
    settle_turns();
    return &*oldest;
  }
  Outcome complete(int number, std::int64_t token) {
    const Job* job = find(number);
    if (job == nullptr || job->attempts != token) return Outcome::stale;
    std::erase_if(jobs, [&](const Job& each) { return each.number == number; });
    settle_turns();
    return Outcome::ok;
  }
  Outcome retry(int number, std::int64_t token) {
    Job* job = find(number);
    if (job == nullptr || job->attempts != token) return Outcome::stale;
    const bool dies = job->state == JobState::dead || job->attempts >= 3;
    job->state = dies ? JobState::dead : JobState::scheduled;
    job->deadline_ms = dies ? 0 : now_ms + 1'000;
    settle_turns();
    return dies ? Outcome::dead : Outcome::ok;
  }
  // One after the other, the earliest first: so that their groups come to their turns in that order.
  std::vector<int> back_to_pending(JobState from, std::int64_t before_ms) {
    std::vector<int> moved;
    for (;;) {
      Job* next = nullptr;
      for (Job& job : jobs) {
        const bool due = job.state == from && job.deadline_ms < before_ms;
        if (due && (next == nullptr || job.deadline_ms < next->deadline_ms)) next = &job;
      }
      if (next == nullptr) return moved;
      next->state = JobState::pending;
      next->deadline_ms = 0;
      moved.push_back(next->number);
      settle_turns();
    }
  }
};

std::string job_id(int number) { return brand("JOB", static_cast<Snowflake>(number)); }
std::string group_id(int number) { return brand("WAL", static_cast<Snowflake>(number)); }

using Command = rc::state::Command<Reference, JobQueue>;

void compare(Reference expected, const JobQueue& queue) {
  RC_ASSERT(queue.rows().size() == expected.jobs.size());
  std::size_t unfinished = 0;
  for (const Reference::Job& job : expected.jobs) {
    const JobQueue::Row* row = queue.find(job_id(job.number));
    RC_ASSERT(row != nullptr);
    RC_ASSERT(row->state == job.state);
    RC_ASSERT(row->attempts == job.attempts);
    RC_ASSERT(row->deadline_ms == job.deadline_ms);
    RC_ASSERT(row->group == group_id(job.group));
    unfinished += job.state != JobState::dead;
  }
  RC_ASSERT(queue.unfinished() == unfinished);
}

struct Enqueue final : Command {
  int number = *rc::gen::inRange(1, 8);
  int group = *rc::gen::inRange(1, 4);
  void apply(Reference& reference) const override { reference.enqueue(number, group); }
  void run(const Reference& before, JobQueue& queue) const override {
    const bool known = before.find(number) != nullptr;
    RC_ASSERT(queue.enqueue(job_id(number), "payload", group_id(group)) == (known ? Outcome::duplicate : Outcome::ok));
    RC_ASSERT(queue.enqueue(group_id(number), "payload", group_id(group)) == Outcome::failed);
    compare(nextState(before), queue);
  }
  void show(std::ostream& out) const override { out << "enqueue " << number << " of group " << group; }
};

struct Claim final : Command {
  void apply(Reference& reference) const override { reference.claim(); }
  void run(const Reference& before, JobQueue& queue) const override {
    Reference after = before;
    const Reference::Job* expected = after.claim();
    const auto claim = queue.claim(before.now_ms);
    RC_ASSERT(claim.has_value() == (expected != nullptr));
    if (claim) {
      RC_ASSERT(claim->job == job_id(expected->number));
      RC_ASSERT(claim->token == expected->attempts);
      RC_ASSERT(claim->deadline_ms == expected->deadline_ms);
    }
    compare(after, queue);
  }
  void show(std::ostream& out) const override { out << "claim"; }
};

/// complete or retry, with the token of the present claim or one beside it: a zombie's, or an invention.
struct Settle final : Command {
  bool complete = *rc::gen::arbitrary<bool>();
  int number = 1;
  std::int64_t token = 0;
  explicit Settle(const Reference& reference) {
    number = reference.jobs.empty() ? *rc::gen::inRange(1, 8) : (*rc::gen::elementOf(reference.jobs)).number;
    const Reference::Job* job = reference.find(number);
    token = (job == nullptr ? 0 : job->attempts) - *rc::gen::weightedElement<int>({{5, 0}, {1, 1}, {1, -1}});
  }
  Outcome on(Reference& reference) const {
    return complete ? reference.complete(number, token) : reference.retry(number, token);
  }
  void apply(Reference& reference) const override { on(reference); }
  void run(const Reference& before, JobQueue& queue) const override {
    Reference after = before;
    const Outcome expected = on(after);
    const Outcome answered = complete ? queue.complete(job_id(number), token) : queue.retry(job_id(number), token, before.now_ms);
    RC_ASSERT(answered == expected);
    compare(after, queue);
  }
  void show(std::ostream& out) const override { out << (complete ? "complete " : "retry ") << number << " with " << token; }
};

struct Beat final : Command {
  std::int64_t wait_ms = *rc::gen::element<std::int64_t>(0, 1, 999, 1'000, 15'000, 30'000, 30'001);
  void apply(Reference& reference) const override { beat(reference); }
  std::pair<std::vector<int>, std::vector<int>> beat(Reference& reference) const {
    reference.now_ms += wait_ms;
    auto reaped = reference.back_to_pending(JobState::active, reference.now_ms);  // the lease holds at its deadline
    auto promoted = reference.back_to_pending(JobState::scheduled, reference.now_ms + 1);
    return {reaped, promoted};
  }
  void run(const Reference& before, JobQueue& queue) const override {
    Reference after = before;
    const auto [reaped, promoted] = beat(after);
    const auto names = [](const std::vector<int>& numbers) {
      std::vector<std::string> all;
      for (const int number : numbers) all.push_back(job_id(number));
      return all;
    };
    RC_ASSERT(queue.reap(after.now_ms) == names(reaped));
    RC_ASSERT(queue.promote(after.now_ms) == names(promoted));
    compare(after, queue);
  }
  void show(std::ostream& out) const override { out << "beat after " << wait_ms << " ms"; }
};

}  // namespace

TEST_CASE("job queue: every command answers and leaves what the reference does") {
  check_property("queue and reference agree after every command", [] {
    JobQueue queue;
    rc::state::check(Reference(), queue, rc::state::gen::execOneOfWithArgs<Enqueue, Claim, Claim, Settle, Settle, Beat>());
  }, {1'500, 100});
}
