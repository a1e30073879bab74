// recovery_does_not_stampede, on fabricated histories.
#include "properties/oracles/fake_world.h"
#include "testing/catch.h"

namespace cohsim::oracles {

namespace {

const std::string one = v(1, "WAL"), two = v(2, "WAL");
const std::string gold = v(1000, "WAL"), iron = v(1001, "WAL");

/// Waits in steps of a millisecond.
Watch& at(Watch& watch, std::uint64_t ms) {
  watch.step = ms - 1;
  return watch;
}
Watch& loads(Watch& watch, int times, const std::string& id = gold, FetchOutcome outcome = FetchOutcome::loaded) {
  for (int i = 0; i < times; ++i) {
    watch(event::FlightBegan{node_b, money, id, 1});
    watch(event::FlightEnded{node_b, money, id, 1, outcome, {}});
  }
  return watch;
}
/// The script, or an admin, removes a row.
Watch& removes(Watch& watch, const std::string& value, bool by_script) {
  const valkey::Row row{one + value, {}};
  const valkey::Reply reply = valkey::Reply::of_integer(1);
  const std::set<std::string, std::less<>> touched;
  watch(event::RowChanged{"k", &row, nullptr, "DEL", true, money, gold});
  if (!by_script) return watch;
  return watch(event::ScriptRan{node_b, money, gold, "k", two, &row, nullptr, &reply, &reply, false, &touched, false, ""},
               true);
}
Watch recovered() {
  Watch watch(make_recovery_does_not_stampede);
  watch.world.truth_[gold] = {"new", two, 2};
  watch(event::ServerRestarted{false});
  return watch;
}

}  // namespace

TEST_CASE("recovery_does_not_stampede: a load of each name by each node within a ttl") {  // 2 nodes, 5 s
  Watch calm(make_recovery_does_not_stampede);
  CHECK(loads(calm, 9).oracle->exercised() == 0);  // no fault, no recovery
  Watch right = recovered();
  CHECK(loads(loads(right, 2), 2, iron).holds());
  CHECK(loads(right, 1).violated());
  Watch slowly = recovered();
  for (std::uint64_t s = 1; s <= 20; ++s) loads(at(slowly, 2'600 * s), 1);
  CHECK(slowly.holds());
  Watch long_flight = recovered();  // it ended within no ttl of the earlier ones
  loads(at(long_flight, 1'000), 2);
  at(long_flight, 5'900)(event::FlightBegan{node_b, money, gold, 1});
  at(long_flight, 6'100)(event::FlightEnded{node_b, money, gold, 1, FetchOutcome::loaded, {}});
  CHECK(long_flight.holds());
  Watch faults = recovered();  // while they last, nothing is counted together
  for (int i = 0; i < 5; ++i) loads(faults, 2)(event::ConnectionBroke{node_b, 1, 1, "reset"});
  CHECK(faults.holds());
  Watch failed_over = recovered();
  for (int i = 0; i < 5; ++i) loads(failed_over, 2)(event::ServerFailedOver{1});
  CHECK(failed_over.holds());
  Watch evicted = recovered();
  const valkey::Row row{one, {}};
  for (int i = 0; i < 5; ++i) loads(evicted, 2)(event::RowChanged{"k", &row, nullptr, "evicted", true, money, gold});
  CHECK(evicted.holds());
  Watch stands = recovered();
  for (int i = 0; i < 5; ++i) loads(stands, 2)(event::NodePaused{node_b, us_per_s});
  CHECK(stands.holds());
  Watch troubled = recovered();
  for (int i = 0; i < 5; ++i) loads(troubled, 2)(event::LoaderStruck{node_b, money, gold, "slow", us_per_s});
  CHECK(troubled.holds());
  Watch no_loads = recovered();
  CHECK_FALSE(loads(no_loads, 9, gold, FetchOutcome::l2_hit).violated());
  CHECK_FALSE(loads(no_loads, 9, gold, FetchOutcome::absent).violated());  // nothing keeps an absence
  Watch refused = recovered();  // L2 refused each: loaded all the same
  for (int i = 0; i < 3; ++i) {
    refused(event::FlightBegan{node_b, money, gold, 1})(event::WriteRefused{node_b, money, gold, one, "l2", "fill", two});
    refused(event::FlightEnded{node_b, money, gold, 1, FetchOutcome::l2_hit, two});
  }
  CHECK(refused.violated());
  Watch earlier = recovered();  // under way when the last fault came
  earlier(event::FlightBegan{node_b, money, gold, 1})(event::ConnectionUp{node_b, 1, 2});
  earlier(event::FlightEnded{node_b, money, gold, 1, FetchOutcome::loaded, {}});
  CHECK(loads(earlier, 2).holds());
  Watch live = recovered();  // names that are read count, though they are in no need of a load
  live(event::FetchEnded{node_a, money, iron, FetchOutcome::hit, one, "x", 0});
  CHECK(loads(live, 4).holds());
  CHECK(loads(live, 1).violated());
}

TEST_CASE("recovery_does_not_stampede: who removes a row on purpose asks for loads") {
  const auto removed_between = [](const std::string& value, bool by_script) {
    Watch watch = recovered();
    loads(watch, 2);
    removes(watch, value, by_script);
    return loads(watch, 2).violated();
  };
  CHECK_FALSE(removed_between("new", false));  // an admin's invalidate
  CHECK_FALSE(removed_between("old", true));   // a message did what it is there for
  CHECK(removed_between("new", true));         // a message took what was up to date
  Watch nobodys = recovered();  // a row that no write stands behind
  nobodys.world.truth_.clear();
  removes(loads(nobodys, 2), "new", true);
  CHECK(loads(nobodys, 2).holds());
  Watch l1_only = recovered();
  loads(l1_only, 2)(event::L1Changed{node_a, money, gold, one, {}, {}, L1Cause::invalidate});
  CHECK(loads(l1_only, 2).holds());
  Watch coherence = recovered();  // what a message removes from L1 stands in L2
  loads(coherence, 2)(event::L1Changed{node_a, money, gold, one, {}, {}, L1Cause::coherence});
  CHECK(loads(coherence, 1).violated());
  Watch expires = recovered();
  const valkey::Row row{one + "new", {}};
  loads(expires, 2)(event::RowChanged{"k", &row, nullptr, "expired", true, money, gold});
  CHECK(loads(expires, 1).violated());
}

}  // namespace cohsim::oracles
