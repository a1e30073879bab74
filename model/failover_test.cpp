// A failover: the newest writes of rows and jobs are lost, in one order, and what a connection or a server's memory held.
#include "testing/catch.h"

#include "model/identity.h"
#include "model/message.h"
#include "model/test_world.h"

namespace cohsim::test {

namespace {

Scenario stepped(Lane lane) {
  Scenario scenario = scenario_on(lane);
  scenario.has_steps = true;
  scenario.tables[0].jitter_ppm = 0;
  return scenario;
}

using Rows = std::map<std::string, JobQueue::Row, std::less<>>;

std::string text_of(const JobQueue& queue) {
  std::string text;
  for (const auto& [job, row] : queue.rows()) {
    text += fmt::format("{} {} {} {} {} {} {}\n", job, row.payload, row.group, name_of(row.state), row.attempts, row.token,
                        row.deadline_ms);
  }
  return text + std::to_string(queue.unfinished());
}

/// Everything that a queue will ever hand out, with what it says of it: the ring, the lanes, the leases and the tokens.
std::string future_of(JobQueue queue, std::int64_t now) {
  std::string text = text_of(queue);
  for (int i = 0; i < 40; ++i, now += 1000) {
    for (const std::string& job : queue.reap(now)) text += " r" + job;
    for (const std::string& job : queue.promote(now)) text += " p" + job;
    if (const auto claim = queue.claim(now)) text += fmt::format(" {} {}", claim->job, claim->token);
  }
  return text;
}

/// One call, drawn.
void call(JobQueue& queue, Choices& choices, std::int64_t now) {
  const auto draw = [&](std::uint64_t n) { return choices.choose(Site::work_operation, actor_world, n); };
  const std::string job = brand("JOB", 1 + draw(5));
  switch (draw(6)) {
    case 0: queue.enqueue(job, std::to_string(draw(9)), fmt::format("g{}", draw(3))); break;
    case 1: queue.claim(now); break;
    case 2: queue.complete(job, queue.find(job) ? queue.find(job)->token : 1); break;
    case 3: queue.retry(job, queue.find(job) ? queue.find(job)->token : 1, now); break;
    case 4: queue.reap(now); break;
    default: queue.promote(now); break;
  }
}

}  // namespace

TEST_CASE("queue: the newest changes taken back leave the queue of that time, with its ring, its leases and its tokens") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    RandomStrategy strategy(seed);
    Choices choices(strategy);
    JobQueue queue(seed % 2 == 0 ? JobToken::unique : JobToken::attempts);
    std::vector<JobQueue::Past> changes;
    std::int64_t now = 0;
    const auto calls = [&](int n) {
      for (int i = 0; i < n; ++i) call(queue, choices, now += 4'000);
    };
    calls(20);
    const std::string before = future_of(queue, now + 1);
    const std::int64_t then = now;
    queue.log_to(&changes);
    calls(20);
    queue.log_to(nullptr);
    queue.put_back(changes);
    CAPTURE(seed);
    REQUIRE(future_of(queue, then + 1) == before);
  }
}

TEST_CASE("failover: the newest writes are lost whole and in order, the deadlines are those of that time") {
  TestWorld t(stepped(Lane::none));
  t.put(a, "one");
  const valkey::Row first = *t.l2();
  t.steps.advance(us_per_s);
  t.put(a, "two");
  t.steps.raw({"MSET", "k1", "x", "k2", "y"});
  t.steps.raw({"DEL", "k1", "k2"});
  CHECK(t.steps.failover(1) == 1);
  CHECK(t.steps.raw({"GET", "k1"}) == valkey::Reply::of_bulk("x"));
  CHECK(t.steps.raw({"GET", "k2"}) == valkey::Reply::of_bulk("y"));
  CHECK(t.l2()->bytes.ends_with("two"));
  CHECK(t.steps.failover(2) == 2);
  CHECK(*t.l2() == first);
  CHECK(t.log.count("l2", {"cause=failover"}) == 5);  // k1, k2 back; k1, k2 gone, and the row
  CHECK(t.log.count("server failed over", {"lost_writes=2"}) == 1);
  CHECK(t.steps.failover(9) == 1);  // all there was
  CHECK_FALSE(t.l2());
  CHECK(t.steps.failover(1) == 0);
}

TEST_CASE("failover: what expired stays so, an eviction is a write, and a restart leaves nothing to lose") {
  TestWorld t(stepped(Lane::none));
  t.put(a, "one");
  t.steps.advance(6 * us_per_s);  // its ttl is over
  t.put(a, "two");
  CHECK(t.steps.failover(1) == 1);
  CHECK_FALSE(t.l2());
  t.steps.advance(us_per_s);
  t.put(a, "three");
  t.steps.evict(l2_key("users", t.name().id));
  CHECK(t.steps.failover(1) == 1);
  CHECK(t.l2()->bytes.ends_with("three"));
  t.steps.valkey_restart(true);
  CHECK(t.steps.failover(1) == 0);
  CHECK(t.l2()->bytes.ends_with("three"));
}

TEST_CASE("failover: jobs are lost with rows, in one order, and connections, subscriptions and scripts with the server") {
  TestWorld t(stepped(Lane::job));
  t.steps.partition(a, actor_server);
  t.steps.partition(b, actor_server);
  t.steps.advance(2 * us_per_s);
  const std::string queue = t.node(a).queue_of(0), job = brand("JOB", 1), other = brand("JOB", 2);
  ServerHost& host = t.world.host();
  host.enqueue(queue, job, "p", "g");
  t.steps.raw({"SET", "k", "1"});
  host.enqueue(queue, other, "q", "g");
  host.claim(a, queue);
  CHECK(t.steps.failover(1) == 1);
  CHECK(host.queues().at(queue).find(job)->state == JobState::pending);
  CHECK(t.log.count("job went back", {"job=" + job, "payload=p", "state=pending", "attempts=0"}) == 1);
  CHECK(t.steps.failover(2) == 2);
  CHECK(host.queues().at(queue).find(other) == nullptr);
  CHECK(host.queues().at(queue).find(job) != nullptr);
  CHECK(t.log.count("job went back", {"job=" + other, "state=absent"}) == 1);
  CHECK(t.steps.raw({"GET", "k"}).kind == valkey::Reply::Kind::nil);
  CHECK(host.claim(b, queue)->token == 1);  // the same token again: the claim was lost with its attempt

  TestWorld bus(stepped(Lane::broadcast));
  bus.put(a, "one");
  bus.steps.advance(us_per_s);  // b loaded the script
  bus.steps.failover(0);
  CHECK(bus.log.count("connection broke", {"why=server failed over"}) == 4);
  const std::string sha = bundled_script().sha1;
  CHECK(bus.steps.raw({"SCRIPT", "EXISTS", sha}) == valkey::Reply::of_array({valkey::Reply::of_integer(0)}));
  CHECK(bus.steps.raw({"PUBSUB", "NUMSUB", broadcast_channel("users")}).items.at(1).integer == 0);
  bus.steps.advance(us_per_s);
  CHECK(bus.steps.raw({"PUBSUB", "NUMSUB", broadcast_channel("users")}).items.at(1).integer == 2);
}

TEST_CASE("failover: no more writes are kept than any scenario may lose, and none where it cannot fail over") {
  TestWorld t(stepped(Lane::none));
  for (std::size_t i = 0; i < RecentWrites::most + 5; ++i) t.steps.raw({"INCR", "n"});
  CHECK(t.steps.failover(RecentWrites::most) == RecentWrites::most);
  CHECK(t.steps.raw({"GET", "n"}) == valkey::Reply::of_bulk("5"));
  TestWorld cannot(scenario_on(Lane::none));
  cannot.put(a, "one");
  CHECK(cannot.steps.failover(1) == 0);
}

}  // namespace cohsim::test
