#include "model/world.h"

#include <algorithm>

#include "model/units.h"

namespace cohsim {

namespace {

constexpr DurationUs settle_limit_us = 300 * us_per_s;
constexpr std::string_view world_name = "world", server_name = "valkey";

NetworkFaults network_faults(const MessageFaults& messages) {
  NetworkFaults faults;
  faults.message_drop = messages.drop;
  faults.message_duplicate = messages.duplicate;
  faults.message_reorder = messages.reorder;
  if (messages.delay) {
    faults.message_delay = true;
    faults.message_delay_low_us = messages.delay->low_us;
    faults.message_delay_high_us = messages.delay->high_us;
  }
  return faults;
}

// How far back a load may look: a script of steps may ask for any time.
DurationUs longest_lag(const Scenario& scenario) {
  if (scenario.has_steps) return longest_duration_us;
  DurationUs longest = scenario.faults.loader.lag.high_us;
  for (const LoaderFaults& more : scenario.faults.loader.more) longest = std::max(longest, more.lag.high_us);
  return longest;
}

std::uint16_t number_of_node(const Scenario& scenario, std::size_t i) {
  const std::vector<std::uint32_t>& given = scenario.design.node_numbers;
  return static_cast<std::uint16_t>(i < given.size() ? given[i] : i + 1);
}

}  // namespace

World::World(const Scenario& scenario, Strategy& strategy, lua::Interpreter& interpreter,
             const ScriptUnderTest& script)
    : scenario_(scenario),
      choices_(strategy),
      scheduler_(choices_),
      trace_(scheduler_),
      notes_(trace_),
      plan_(scenario),
      truth_(longest_lag(scenario)),
      operations_(scheduler_, notes_),
      host_(std::make_unique<ServerHost>(interpreter, scenario, script, scheduler_, choices_, notes_, plan_)),
      network_notes_(std::make_unique<NetworkNotes>(notes_, scenario, *host_)),
      network_(std::make_unique<Network>(scheduler_, choices_, *network_notes_, *this)) {
  host_->connect_to(*network_);
  network_notes_->connect_to(*network_);
  network_->set_fault_source([this](Actor client, const Message* message) {
    if (message != nullptr) return network_faults(plan_.messages(now(), *message));
    return NetworkFaults{.connection_reset = plan_.connections(now(), client).reset};
  });
  network_->on_up = [this](ConnectionId connection) {
    node(network_->client_of(connection)).connection_up(connection);
  };
  host_->listeners = [this](std::uint16_t table) {
    std::vector<std::pair<Actor, DropCause>> all;
    if (scenario_.tables[table].lane != Lane::broadcast) return all;
    for (const Actor actor : node_actors()) {
      if (!node(actor).left()) all.emplace_back(actor, node(actor).up() ? DropCause::away : DropCause::node_down);
    }
    return all;
  };
  for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
    const auto actor = static_cast<Actor>(actor_first_node + i);
    nodes_.push_back(std::make_unique<Node>(
        NodeContext{actor, number_of_node(scenario, i), scenario, scheduler_, choices_, *network_, operations_,
                    notes_, run_, plan_},
        *host_, truth_));
  }
  injector_ = std::make_unique<FaultInjector>(*this);
}

World::~World() {
  // Frames first: they refer to everything else.
  for (const Actor actor : node_actors()) scheduler_.kill_all_of(actor);
  scheduler_.kill_all_of(actor_world);
}

std::vector<Actor> World::node_actors() const {
  std::vector<Actor> actors;
  for (std::size_t i = 0; i < nodes_.size(); ++i) actors.push_back(static_cast<Actor>(actor_first_node + i));
  return actors;
}

void World::plant(Defect defect) {
  run_.defect = defect;
  host_->plant(defect);
  network_->plant({.reply_to_last_waiter = defect == Defect::reply_to_last_waiter,
                   .drops_unnoted = defect == Defect::drops_unnoted});
}

void World::start() {
  plan_.turn(false);
  injector_->set_clocks();
  for (const auto& node : nodes_) node->start();
  run_until_quiet(scheduler_.now() + us_per_s);
  plan_.turn(true);
  injector_->start();
}

bool World::step(TimeUs until) {
  if (!scheduler_.step(until)) return false;
  if (after_step) after_step();
  return true;
}

bool World::quiet() const {
  if (scheduler_.foreground_pending() != 0) return false;
  for (const auto& [name, queue] : host_->queues()) {
    if (queue.unfinished() == 0) continue;
    // A queue that nobody consumes any more (its node left for good) keeps nobody busy.
    for (std::uint16_t table = 0; table < scenario_.tables.size(); ++table) {
      if (scenario_.tables[table].lane != Lane::job) continue;
      if (std::any_of(nodes_.begin(), nodes_.end(),
                      [&, &queue_name = name](const auto& node) {
                        return node->up() && node->queue_of(table) == queue_name;
                      })) {
        return false;
      }
    }
  }
  return true;
}

bool World::run_until_quiet(TimeUs limit) {
  while (!quiet()) {
    if (!step(limit)) return false;
  }
  return true;
}

void World::crash(Actor actor, bool power) { node(actor).crash(power); }

void World::restart(Actor actor) {
  if (!node(actor).up() && !node(actor).left()) node(actor).start();
}

void World::step_clock(Actor actor, DurationUs by_us) {
  node(actor).context().clock.step(by_us);
  notes_(actor_world, event::ClockStepped{actor, by_us});
}

void World::drift_clock(Actor actor, std::int32_t ppm) {
  node(actor).context().clock.drift(now(), ppm);
  notes_(actor_world, event::ClockDrifts{actor, ppm});
}

void World::pause(Actor actor, DurationUs span_us) {
  scheduler_.pause(actor, now() + span_us);
  node(actor).context().clock.pause(now(), now() + span_us);
  notes_(actor_world, event::NodePaused{actor, span_us});
}

void World::replay_everywhere() {
  for (const Actor actor : node_actors()) {
    for (std::uint16_t table = 0; table < scenario_.tables.size(); ++table) {
      Journal* journal = node(actor).journal(table);
      if (journal == nullptr) continue;
      const auto replay = [](Journal& owed) -> Task<void> {
        Task<Journal::ReplayCount> replaying = owed.replay();
        co_await replaying;
      };
      scheduler_.spawn(actor, replay(*journal));
    }
  }
}

// What is past its deadline is gone, though nobody has looked yet: suspended expiry must not bring it back.
void World::expire_everywhere() {
  for (const Actor actor : node_actors()) {
    for (std::uint16_t table = 0; table < scenario_.tables.size(); ++table) {
      if (Table* cache = node(actor).table(table)) cache->sweep();
    }
  }
  host_->server().expire_all(host_->wall_us());
}

void World::partition(Actor from, Actor to) {
  network_->partition(from, to);
  notes_(actor_world, event::Partitioned{from, to, true});
}

void World::heal(Actor from, Actor to) {
  if (!network_->cut(from, to)) return;
  network_->heal(from, to);
  notes_(actor_world, event::Partitioned{from, to, false});
}

void World::settle(bool final) {
  notes_(actor_world, event::SettleBegan{});
  plan_.turn(false);
  expire_everywhere();
  run_.expiry_suspended = true;
  host_->server().suspend_expiry(true);
  network_->heal_all();
  host_->hear_again();
  for (const Actor actor : node_actors()) {
    scheduler_.disarm(actor);
    restart(actor);
  }
  if (final) {
    operations_.resume_all();
    network_->release("", [](const Message&) { return true; });
  }
  run_until_quiet(scheduler_.now() + settle_limit_us);
  replay_everywhere();
  run_until_quiet(scheduler_.now() + settle_limit_us);
  notes_(actor_world, event::SettleEnded{});
  if (final) return;
  run_.expiry_suspended = false;
  host_->server().suspend_expiry(false);
  plan_.turn(true);
}

std::optional<DropCause> World::refusal(const Message& message) const { return node(message.to).refusal(message); }

void World::deliver(const Message& message) { node(message.to).deliver(message); }

// WorldView ------------------------------------------------------------------------------------------------------------

std::string_view World::actor_name(Actor actor) const {
  if (actor == actor_world) return world_name;
  if (actor == actor_server) return server_name;
  return scenario_.nodes[static_cast<std::size_t>(actor - actor_first_node)];
}

const L1Row* World::l1_row(Actor actor, std::uint16_t table, std::string_view id) const {
  const Table* cache = node(actor).table(table);
  return cache == nullptr ? nullptr : cache->peek(id);
}

std::vector<std::string> World::l1_ids(Actor actor, std::uint16_t table) const {
  const Table* cache = node(actor).table(table);
  return cache == nullptr ? std::vector<std::string>() : cache->ids();
}

std::optional<valkey::Row> World::l2_row(std::uint16_t table, std::string_view id) const {
  return host_->server().peek(l2_key(scenario_.tables[table].name, id), host_->wall_us());
}

std::vector<std::pair<std::string, valkey::Row>> World::l2_rows() const {
  return host_->server().peek_all(host_->wall_us());
}

const Truth* World::truth(std::uint16_t table, std::string_view id) const { return truth_.find(table, id); }

const JournalContents* World::journal(Actor actor, std::uint16_t table) const {
  const Journal* journal = node(actor).journal(table);
  return journal == nullptr ? nullptr : &journal->contents();
}

Counters World::counters(Actor actor, std::uint16_t table) const {
  const Table* cache = node(actor).table(table);
  return cache == nullptr ? Counters{} : cache->counters();
}

std::vector<JobView> World::jobs() const {
  std::vector<JobView> all;
  for (const auto& [name, queue] : host_->queues()) {
    for (const auto& [job, row] : queue.rows()) {
      all.push_back({name, job, row.payload, row.group, row.state, row.attempts, row.deadline_ms});
    }
  }
  return all;
}

}  // namespace cohsim
