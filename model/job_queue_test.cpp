// The job queue as domain.md section 5 tells it, and the ring of section 4.
#include "testing/catch.h"

#include "model/identity.h"
#include "model/job_queue.h"
#include "model/ring.h"

namespace cohsim {

namespace {

std::string job(Snowflake n) { return brand("JOB", n); }
std::string claimed(JobQueue& queue, std::int64_t now = 0) {
  const auto claim = queue.claim(now);
  return claim ? claim->job : "";
}

}  // namespace

TEST_CASE("queue: claims rotate over the groups and take the oldest job of each, by its id") {
  JobQueue queue;
  for (const Snowflake n : {4U, 2U, 6U}) queue.enqueue(job(n), "p", "g1");
  for (const Snowflake n : {3U, 1U}) queue.enqueue(job(n), "p", "g2");
  queue.enqueue(job(9), "p", "g3");
  std::vector<std::string> order;
  for (int i = 0; i < 6; ++i) order.push_back(claimed(queue));
  CHECK(order == std::vector<std::string>{job(2), job(1), job(9), job(4), job(3), job(6)});
  CHECK_FALSE(queue.claim(0));
}

TEST_CASE("queue: a job id is admitted once, whatever state its row is in, and must be a JOB") {
  JobQueue queue;
  CHECK(queue.enqueue("USR" + job(1).substr(3), "p", "g") == Outcome::failed);
  CHECK(queue.enqueue(job(1), "p", "g") == Outcome::ok);
  const auto refuses = [&](JobState state) {
    CHECK(queue.enqueue(job(1), "other", "h") == Outcome::duplicate);
    CHECK(queue.find(job(1))->state == state);
    CHECK(queue.find(job(1))->payload == "p");
  };
  refuses(JobState::pending);
  for (std::int64_t attempt = 1; attempt < JobQueue::max_attempts; ++attempt) {
    CHECK(queue.claim(0)->token == attempt);
    refuses(JobState::active);
    CHECK(queue.retry(job(1), attempt, 0) == Outcome::ok);
    refuses(JobState::scheduled);
    CHECK(queue.promote(JobQueue::retry_delay_ms - 1).empty());
    CHECK(queue.promote(JobQueue::retry_delay_ms).size() == 1);
  }
  CHECK(queue.unfinished() == 1);
  CHECK(queue.retry(job(1), claimed(queue).empty() ? 0 : JobQueue::max_attempts, 0) == Outcome::dead);
  refuses(JobState::dead);
  CHECK(queue.unfinished() == 0);
}

TEST_CASE("queue: complete deletes the row, so that the id is new again and its attempts start from 0") {
  JobQueue queue;
  queue.enqueue(job(1), "p", "g");
  queue.claim(0);
  CHECK(queue.complete(job(1), 1) == Outcome::ok);
  CHECK(queue.find(job(1)) == nullptr);
  CHECK(queue.complete(job(1), 1) == Outcome::stale);
  CHECK(queue.enqueue(job(1), "p", "g") == Outcome::ok);
  CHECK(queue.find(job(1))->attempts == 0);
  CHECK(queue.claim(0)->token == 1);
}

TEST_CASE("queue: another token changes nothing, an equal one is accepted from a zombie, also after the lease was reaped") {
  JobQueue queue;
  queue.enqueue(job(1), "p", "g");
  queue.claim(100);
  CHECK(queue.reap(100 + JobQueue::lease_ms).empty());
  CHECK(queue.reap(101 + JobQueue::lease_ms) == std::vector<std::string>{job(1)});
  CHECK(queue.retry(job(1), 2, 0) == Outcome::stale);
  SECTION("the job has been claimed again") {
    CHECK(queue.claim(0)->token == 2);
    CHECK(queue.complete(job(1), 1) == Outcome::stale);
    CHECK(queue.find(job(1))->state == JobState::active);
  }
  SECTION("nobody has claimed it yet") {
    CHECK(queue.complete(job(1), 1) == Outcome::ok);
    CHECK_FALSE(queue.claim(0));
  }
  SECTION("it was completed, enqueued and claimed anew: the token is the same") {
    queue.complete(job(1), 1);
    queue.enqueue(job(1), "p", "g");
    CHECK(queue.claim(0)->token == 1);
    CHECK(queue.complete(job(1), 1) == Outcome::ok);
  }
}

TEST_CASE("ring: bounded, in arrival order, a full one refuses and overwrites nothing") {
  Ring ring(2);
  const CoherenceMessage one{"1", "v"}, two{"2", "v"}, three{"3", "v"};
  CHECK(ring.offer(one));
  CHECK(ring.offer(two));
  CHECK_FALSE(ring.offer(three));
  CHECK(ring.drain() == std::deque<CoherenceMessage>{one, two});
  CHECK(ring.empty());
  CHECK(ring.offer(three));
}

TEST_CASE("queue: with unique tokens no claim holds what another held, though the row went and came, and the server forgot") {
  JobQueue queue(JobToken::unique);
  queue.enqueue(job(1), "p", "g");
  const auto first = queue.claim(5'000);
  REQUIRE(first);
  CHECK(first->attempts == 1);
  CHECK(queue.complete(job(1), first->token) == Outcome::ok);
  queue.enqueue(job(1), "p", "g");
  CHECK(queue.complete(job(1), first->token) == Outcome::stale);  // not claimed yet
  const auto second = queue.claim(5'000);
  REQUIRE(second);
  CHECK(second->attempts == 1);
  CHECK(second->token > first->token);
  CHECK(queue.retry(job(1), first->token, 5'000) == Outcome::stale);
  CHECK(queue.complete(job(1), first->token) == Outcome::stale);
  CHECK(queue.complete(job(1), second->attempts) == Outcome::stale);
  CHECK(queue.reap(5'000 + JobQueue::lease_ms + 1).size() == 1);
  CHECK(queue.complete(job(1), second->token) == Outcome::ok);  // as with attempts: a lease that ended, and no claim since

  JobQueue after_restart(JobToken::unique);
  after_restart.enqueue(job(1), "p", "g");
  CHECK(after_restart.claim(5'001)->token > second->token);
}

TEST_CASE("queue: unique tokens leave the attempts what they are: the third retry is dead") {
  JobQueue queue(JobToken::unique);
  queue.enqueue(job(1), "p", "g");
  for (std::int64_t round = 1; round <= JobQueue::max_attempts; ++round) {
    const auto claim = queue.claim(round * 2'000);
    REQUIRE(claim);
    CHECK(claim->attempts == round);
    CHECK(queue.retry(job(1), claim->token, round * 2'000) == (round == JobQueue::max_attempts ? Outcome::dead : Outcome::ok));
    queue.promote((round + 1) * 2'000);
  }
}

}  // namespace cohsim
