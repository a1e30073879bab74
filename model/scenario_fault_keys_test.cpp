// The keys of `faults`: groups, aims, windows.
#include "model/scenario_loader_bench.h"
#include "testing/catch.h"

using namespace cohsim;
using namespace cohsim::loader_bench;

TEST_CASE("a wrong fault: its group, its aim, its window") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"faults = { nodes = { { crash = 0.1, nodes = { 'a' } }, { pause = 2 } } }",
       "faults.nodes[2].pause: a probability is from 0 to 1, not 2"},
      {"faults = { nodes = { { crash = 0.1 }, { down = { '1s', '2s' } } } }",
       "faults.nodes[2].down: has no effect without faults.nodes[2].crash"},
      {"faults = { nodes = { pause_for = { '1s', '2s' } } }", "faults.nodes.pause_for: has no effect without faults.nodes.pause"},
      {"faults = { nodes = { pause = 0.1, nodes = { 'q' } } }", "faults.nodes.nodes[1]: there is no 'q' here; there are: a or b"},
      {"faults = { nodes = { pause = 0.1, nodes = {} } }",
       "faults.nodes.nodes: is an empty list, which names nobody; leave it out to aim at all"},
      {"faults = { messages = { drop = 0.1, kinds = { 'email' } } }",
       "faults.messages.kinds: a kind of message is \"broadcast\" or \"job\", not \"email\""},
      {"faults = { messages = { drop = 0.1, during = { '5s', '5s' } } }",
       "faults.messages.during: is empty: it ends as it begins"},
      {"faults = { messages = { drop = 0.1, nodes = { 'a' } } }", "faults.messages.nodes: unknown key; there are: drop, duplicate, reorder, delay, from, to, tables, kinds or during"},
      {"faults = { clocks = { drift = { 0.1, -0.1 } } }",
       "faults.clocks.drift: a range goes from the smaller to the larger"},
      {"faults = { clocks = { drift = { -0.6, 0 } } }",
       "faults.clocks.drift: wants shares from -0.5 to 0.5 of six decimals at most, not -0.6"},
      {"faults = { loader = { lag = { '1s', '2s' } } }", "faults.loader.lag: has no effect without faults.loader.stale"},
      {"faults = { connections = { away_for = { '1s', '2s' } } }",
       "faults.connections.away_for: has no effect without faults.connections.away"},
      {"faults = { clocks = { offset = { '-1s', '1s' }, during = { '5s', '6s' } } }",
       "faults.clocks.offset: is drawn as the run begins, which faults.clocks.during leaves out"},
      {"faults = { clocks = { { step = 0.1 }, { drift = { 0, 0.1 }, during = { '5s', '6s' } } } }",
       "faults.clocks[2].drift: is drawn as the run begins, which faults.clocks[2].during leaves out"},
  };
  for (const auto& [keys, wanted] : cases) {
    CAPTURE(keys);
    CHECK(problems_of(with(keys)) == "f.lua:3: " + wanted);
  }
}

TEST_CASE("groups of faults are read with their aims, in order") {
  const Scenario s = loaded(with("faults = { nodes = { { pause = 0.5, pause_for = { '1s', '2s' }, nodes = { 'b' } }, "
                                 "{ crash = 0.1, during = { '3s', '4s' } } }, clocks = { drift = { -0.01, 0.02 } }, "
                                 "messages = { drop = 1, from = { 'world' }, to = { 'a' }, tables = { 'users' }, kinds = { 'job' } }, "
                                 "connections = { away = 0.2, away_for = { '5s', '6s' } }, "
                                 "loader = { fail = 0.1, slow = 0.2, slow_by = { '1s', '3s' }, stale = 0.3, lag = { '7s', '8s' } } }"))
                         .at(0);
  CHECK(s.faults.nodes.pause == 500'000);
  CHECK(s.faults.nodes.pause_for == DurationRange{us_per_s, 2 * us_per_s});
  CHECK(s.faults.nodes.aim.nodes == std::vector<std::string>{"b"});
  REQUIRE(s.faults.nodes.more.size() == 1);
  CHECK(s.faults.nodes.more[0].crash == 100'000);
  CHECK(s.faults.nodes.more[0].aim.during == DurationRange{3 * us_per_s, 4 * us_per_s});
  CHECK(s.faults.clocks.drift == ShareRange{-10'000, 20'000});
  CHECK(s.faults.messages.aim.from == std::vector<std::string>{"world"});
  CHECK(s.faults.messages.aim.nodes == std::vector<std::string>{"a"});
  CHECK(s.faults.messages.aim.tables == std::vector<std::string>{"users"});
  CHECK(s.faults.messages.aim.kinds == std::vector<std::string>{"job"});
  CHECK(s.faults.connections.away == 200'000);
  CHECK(s.faults.connections.away_for == DurationRange{5 * us_per_s, 6 * us_per_s});
  CHECK(s.faults.loader.fail == 100'000);
  CHECK(s.faults.loader.slow_by == DurationRange{us_per_s, 3 * us_per_s});
  CHECK(s.faults.loader.stale == 300'000);
  CHECK(s.faults.loader.lag == DurationRange{7 * us_per_s, 8 * us_per_s});
}
