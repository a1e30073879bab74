// Statements of the design that no other test is about: docs/domain-coverage.md names them all.
#include "model/identity.h"
#include "model/message.h"
#include "model/test_world.h"
#include "testing/catch.h"

using namespace cohsim;
using namespace cohsim::test;

namespace {

Scenario steady(Lane lane) {
  Scenario scenario = scenario_on(lane);
  scenario.tables[0].jitter_ppm = 0;
  return scenario;
}

/// In which order lines of the log that begin with `name` first hold each of `parts`.
std::vector<std::size_t> places(const EventLog& log, const std::vector<std::string>& parts) {
  std::vector<std::size_t> found;
  for (const std::string& part : parts) {
    std::size_t at = 0;
    while (at < log.lines.size() && log.lines[at].find(part) == std::string::npos) ++at;
    found.push_back(at);
  }
  return found;
}

}  // namespace

TEST_CASE("clocks: ttls in L2, leases of jobs and TIME are the server's, whatever a node's clock says") {
  TestWorld t(steady(Lane::job));
  t.steps.clock(a, 3600 * us_per_s);
  t.steps.clock(b, -3600 * us_per_s);
  const std::int64_t start_ms = t.world.host().wall_ms() - t.world.now() / us_per_ms;
  t.put(a, "v");
  REQUIRE(t.l2());
  CHECK(*t.l2()->deadline_ms <= start_ms + t.world.now() / us_per_ms + 5000);
  CHECK(*t.l2()->deadline_ms >= start_ms + 5000);
  CHECK(valkey::to_text(t.steps.raw({"TIME"})).find(std::to_string(t.world.host().wall_ms() / 1000)) != std::string::npos);
  t.steps.stop_next(a, Point::job_handle);
  t.steps.stop_next(b, Point::job_handle);
  t.steps.advance(3 * us_per_s);
  REQUIRE(t.world.host().queues().size() == 1);
  const JobQueue::Row& job = t.world.host().queues().begin()->second.rows().begin()->second;
  CHECK(job.state == JobState::active);
  CHECK(job.deadline_ms <= t.world.host().wall_ms() + 30'000);
  CHECK(job.deadline_ms > t.world.host().wall_ms() + 25'000);
}

TEST_CASE("a drop whose connection breaks answers disconnected, and is never sent again") {
  TestWorld t(steady(Lane::none));
  t.put(a, "old");
  const std::string version = t.steps.mint(b, "USR");
  t.steps.drop_l2(b, t.name(2), version, std::nullopt);  // the script is loaded now
  const std::size_t before = t.log.count("script ", {"node=3"});
  t.steps.reset(b, 2);  // it runs, and its reply is lost
  CHECK(t.steps.drop_l2(b, t.name(), version, std::nullopt).outcome == "disconnected");
  t.steps.advance(10 * us_per_s);
  CHECK(t.log.count("script ", {"node=3"}) == before + 1);
  CHECK(t.log.count("drop answered", {"outcome=disconnected"}) == 1);
  t.steps.reset(b, 1);  // it never runs
  CHECK(t.steps.drop_l2(b, t.name(), version, std::nullopt).outcome == "disconnected");
  t.steps.advance(10 * us_per_s);
  CHECK(t.log.count("script ", {"node=3"}) == before + 1);
}

TEST_CASE("a write mints, commits, puts and announces, and a crash before each leaves what was done") {
  const Lane lane = GENERATE(Lane::broadcast, Lane::job);
  TestWorld whole(steady(lane));
  const OperationState write = whole.steps.begin_write(a, whole.name(), "v");
  for (const WritePart part : {WritePart::mint, WritePart::commit, WritePart::table_put, WritePart::announce}) {
    whole.steps.write_part(write.operation, part, std::nullopt);
  }
  const auto order = places(whole.log, {"minted", "committed", "cause=SET", lane == Lane::job ? "enqueue queue" : "message sent"});
  CHECK(std::is_sorted(order.begin(), order.end()));
  CHECK(order.back() < whole.log.lines.size());
  const Point points[] = {Point::write_commit, Point::write_put, Point::write_announce};
  for (std::size_t done = 0; done < 3; ++done) {
    TestWorld t(steady(lane));
    REQUIRE(t.steps.put(a, t.name(), "v", points[done]).stopped_before == name_of(points[done]));
    t.steps.crash(a, false);
    t.steps.restart(a);
    t.steps.advance(3 * us_per_s);
    CHECK(t.log.count("minted", {"node=2"}) >= 1);
    CHECK(t.log.count("committed") == (done >= 1 ? 1U : 0U));
    CHECK(t.log.count("l2", {"cause=SET"}) == (done >= 2 ? 1U : 0U));
    CHECK(t.log.count("message sent") == 0);
  }
}

TEST_CASE("step commit ends after the commit: no row, no message") {
  TestWorld t(steady(Lane::broadcast));
  t.steps.commit(t.name(), "v");
  t.steps.advance(3 * us_per_s);
  CHECK(t.log.count("committed") == 1);
  CHECK_FALSE(t.l2());
  CHECK(t.log.count("message sent") == 0);
  CHECK(t.fetch(b).value == "v");
}

TEST_CASE("a hit is answered in the caller while the owner is held") {
  TestWorld t(steady(Lane::none));
  t.put(a, "v");
  const OperationState held = t.steps.put(a, t.name(2), "w", Point::put_set);
  CHECK(t.fetch(a).outcome == "hit");
  CHECK_FALSE(t.steps.state_of(held.operation).ended);
}

TEST_CASE("a SET that is answered with an error kills the owner as well") {
  TestWorld t(steady(Lane::none));
  t.put(a, "other", 2);
  t.steps.server_full(us_per_s);
  CHECK(t.put(a, "v").outcome == "failed");
  CHECK(t.world.l1_ids(a, 0).empty());
  CHECK(t.log.count("owner died", {"node=2"}) == 1);
  t.steps.advance(2 * us_per_s);
  CHECK(t.put(a, "v").outcome == "ok");
}

TEST_CASE("the owner runs put, invalidate, apply and landings one at a time, in the order of their arrival") {
  Scenario scenario = steady(Lane::none);
  TestWorld t(scenario);
  t.steps.commit(t.name(3), "three");
  const OperationState held = t.steps.put(a, t.name(1), "one", Point::put_l1);
  t.world.scheduler().spawn(a, operation::invalidate(t.world, a, 0, t.name(2).id, 0));
  const OperationState flight = t.steps.fetch(a, t.name(3), Point::l1_insert);  // beside the owner up to its landing
  CHECK(flight.stopped_before == "l1.insert");
  t.world.operations().resume(flight.operation, std::nullopt);
  t.steps.advance(us_per_s);
  CHECK(t.l1(a, 3) == nullptr);  // it waits for the owner, behind the invalidation
  CHECK_FALSE(t.steps.state_of(flight.operation).ended);
  t.steps.resume(held.operation, std::nullopt);
  t.steps.advance(us_per_s);
  CHECK(t.l1(a, 1)->value == "one");
  REQUIRE(t.l1(a, 3) != nullptr);
  CHECK(t.steps.state_of(flight.operation).outcome == "loaded");
}

TEST_CASE("the ring's applier does not go through the owner: it removes while a put holds it") {
  TestWorld t(steady(Lane::broadcast));
  t.put(a, "old");
  const OperationState held = t.steps.put(a, t.name(2), "w", Point::put_set);
  t.steps.message({std::nullopt, a, 0, std::string(t.name().id) + ":" + t.steps.mint(b, "USR")});
  t.steps.advance(us_per_s);
  CHECK(t.l1(a) == nullptr);
  CHECK_FALSE(t.steps.state_of(held.operation).ended);
}

TEST_CASE("receiver l1 alone: a message runs no script, and takes the row from L1 on both lanes") {
  const Lane lane = GENERATE(Lane::broadcast, Lane::job);
  for (const Receiver receiver : {Receiver::l1, Receiver::l1_and_l2}) {
    Scenario scenario = steady(lane);
    scenario.nodes = {"a"};
    scenario.design.receiver = receiver;
    TestWorld t(scenario);
    t.put(a, "old");
    t.steps.advance(2 * us_per_s);
    const std::size_t scripts = t.log.count("script ");
    t.steps.message({std::nullopt, a, 0, std::string(t.name().id) + ":" + t.steps.mint(a, "USR")});
    t.steps.advance(2 * us_per_s);
    CHECK(t.l1(a) == nullptr);
    CHECK(t.l2().has_value() == (receiver == Receiver::l1));
    CHECK(t.log.count("script ") - scripts == (receiver == Receiver::l1 ? 0U : 1U));
  }
}

TEST_CASE("a consumer reaps, promotes, drains what is there, and then parks for a beat") {
  Scenario scenario = steady(Lane::job);
  TestWorld t(scenario);
  std::vector<std::string> versions;
  for (int n = 1; n <= 3; ++n) versions.push_back(t.steps.mint(b, "USR"));
  t.steps.leave(b);
  t.steps.advance(us_per_s + us_per_s / 2);  // between two beats
  t.steps.pause(a, 40 * us_per_s);
  const std::string queue = job_queue("users");
  ServerHost& host = t.world.host();
  const auto enqueue = [&](std::uint64_t n) {
    const std::string id(t.name(static_cast<std::uint32_t>(n)).id);
    host.enqueue(queue, brand("JOB", n), id + ":" + versions[n - 1], "g");
  };
  enqueue(1);
  REQUIRE(host.claim(b, queue));  // whose lease ends meanwhile
  enqueue(2);
  const auto second = host.claim(b, queue);
  REQUIRE(host.settle_job(b, queue, second->job, second->token, false) == Outcome::ok);  // due again meanwhile
  enqueue(3);
  t.steps.advance(41 * us_per_s + 100 * us_per_ms);  // stands still for forty, and one beat
  CHECK(t.log.count("handler ended") == 3);
  const auto order = places(t.log, {"verb=reap", "verb=promote", "claim node=2"});
  CHECK(order[0] < order[2]);
  CHECK(order[1] < order[2]);
  CHECK(order[2] < t.log.lines.size());
  const std::size_t requests = t.log.count("request");
  t.steps.advance(us_per_s);
  const std::size_t a_beat = t.log.count("request") - requests;
  CHECK(a_beat >= 3);  // reap, promote, a claim that finds nothing
  CHECK(a_beat <= 6);
}

TEST_CASE("several intents that nothing covers are replayed in the order of their numbers, in a settle too") {
  const bool settles = GENERATE(false, true);
  Scenario scenario = steady(Lane::job);
  scenario.nodes = {"a"};
  TestWorld t(scenario);
  std::vector<std::string> versions;
  t.steps.partition(a, actor_server);
  for (std::uint32_t n = 1; n <= 3; ++n) {
    versions.push_back(t.steps.mint(a, "USR"));
    t.steps.intend(a, t.name(n), versions.back(), std::nullopt);  // recorded, and enqueued by nobody
  }
  REQUIRE(t.world.journal(a, 0)->intents.size() == 3);
  t.steps.crash(a, false);
  t.steps.heal();
  if (settles) {
    t.steps.settle();
  } else {
    t.steps.restart(a);
    t.steps.advance(5 * us_per_s);
  }
  const auto order = places(t.log, {"replayed node=2 table=users seq=1", "replayed node=2 table=users seq=2",
                                    "replayed node=2 table=users seq=3"});
  CHECK(std::is_sorted(order.begin(), order.end()));
  CHECK(order.back() < t.log.lines.size());
  for (std::uint32_t n = 1; n <= 3; ++n) {
    CHECK(t.world.journal(a, 0)->applied.find(t.name(n).id)->second.version == versions[n - 1]);
  }
}
