// The keys of `faults`, each declared once; and what no single one of them shows.
#include <algorithm>

#include "model/recent_writes.h"
#include "model/scenario_fields.h"

namespace cohsim::scenario_file {

namespace {

constexpr std::size_t rules_max = 32;

template <class T>
Spec<T> drift(std::string name, std::optional<ShareRange> T::*member, std::string meaning) {
  return {std::move(name), "range of shares", std::move(meaning),
          [member](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            const lua::Table* table = v.table();
            if (table == nullptr || !table->is_list() || table->entries.size() != 2) {
              return r.problem(key, "wants a range of shares { from, to }, as in { -0.01, 0.01 }");
            }
            ShareRange range;
            std::int32_t* const ends[] = {&range.low_ppm, &range.high_ppm};
            for (std::size_t i = 0; i < 2; ++i) {
              const double* share = table->entries[i].second.number();
              const auto ppm = share == nullptr ? std::nullopt : parse_drift(*share);
              if (!ppm) return r.wrong_type(key, "shares from -0.5 to 0.5 of six decimals at most", table->entries[i].second);
              *ends[i] = *ppm;
            }
            if (range.low_ppm > range.high_ppm) return r.problem(key, "a range goes from the smaller to the larger");
            into.*member = range;
          }};
}

// Aims ------------------------------------------------------------------------------------------------------------------

template <class T>
Spec<T> aimed_at(std::string name, std::vector<std::string> Aim::*member, std::string type, std::string meaning) {
  return {std::move(name), std::move(type), std::move(meaning),
          [member](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            std::vector<std::string> names;
            if (!read_texts(r, key, v, names)) return;
            if (names.empty()) return r.problem(key, "is an empty list, which names nobody; leave it out to aim at all");
            into.aim.*member = std::move(names);
          }};
}

template <class T>
Spec<T> during() {
  return {"during", "range of durations", "The time that these are limited to, since the run began; the end excluded.",
          [](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            DurationRange read;
            if (!read_range(r, key, v, false, read)) return;
            if (read.low_us == read.high_us) return r.problem(key, "is empty: it ends as it begins");
            into.aim.during = read;
          }};
}

template <class T>
Spec<T> at_nodes() {
  return aimed_at<T>("nodes", &Aim::nodes, "list of nodes", "The nodes that these strike; without it all.");
}
template <class T>
Spec<T> at_tables() {
  return aimed_at<T>("tables", &Aim::tables, "list of tables", "The tables that these strike; without it all.");
}

// Groups ----------------------------------------------------------------------------------------------------------------

Specs<MessageFaults> message_specs() {
  using T = MessageFaults;
  Spec<T> kinds = aimed_at<T>("kinds", &Aim::kinds, "list of \"broadcast\", \"job\"", "The lanes that these strike.");
  kinds.read = [read = kinds.read](Reading& r, const std::string& key, const lua::Value& v, T& into) {
    read(r, key, v, into);
    for (const std::string& kind : into.aim.kinds) {
      if (kind == "broadcast" || kind == "job") continue;
      r.problem(key, "a kind of message is \"broadcast\" or \"job\", not " + lua::quoted(kind));
    }
  };
  return {probability("drop", &T::drop, "A message is lost, per message."),
          probability("duplicate", &T::duplicate, "A message arrives twice, per message."),
          probability("reorder", &T::reorder, "A message may overtake, per message."),
          range("delay", &T::delay, false, "Extra latency; without it messages come in order and at once."),
          aimed_at<T>("from", &Aim::from, "list of nodes", "Whose messages these strike; \"world\": those made by hand."),
          aimed_at<T>("to", &Aim::nodes, "list of nodes", "The nodes to which messages go that these strike."),
          at_tables<T>(), std::move(kinds), during<T>()};
}

Specs<ConnectionFaults> connection_specs() {
  using T = ConnectionFaults;
  return {probability("reset", &T::reset, "A connection to the server breaks, per command."),
          probability("away", &T::away, "A node's subscriber is cut off, per node and virtual second."),
          range("away_for", &T::away_for, false, "How long a subscriber is cut off."),
          probability("partition", &T::partition, "A node and the server lose each other, one way or both, per node and virtual second."),
          range("partition_for", &T::partition_for, false, "How long they do."), at_nodes<T>(), during<T>()};
}

Specs<NodeFaults> node_specs() {
  using T = NodeFaults;
  return {probability("crash", &T::crash, "A node dies at a drawn await, per node and virtual second."),
          probability("power_loss", &T::power_loss, "Share of crashes that lose what the disk had not synced."),
          range("down", &T::down, false, "How long a crashed node stays down."),
          probability("pause", &T::pause, "A node stands still for a while, per node and virtual second."),
          range("pause_for", &T::pause_for, false, "How long it stands still; a job's lease is 30 s."), at_nodes<T>(),
          during<T>()};
}

Specs<ClockFaults> clock_specs() {
  using T = ClockFaults;
  return {range("offset", &T::offset, true, "What a node's wall clock is off by, drawn once a node."),
          probability("step", &T::step, "A wall clock steps, per node and virtual second."),
          range("step_by", &T::step_by, true, "What a step is drawn from."),
          drift("drift", &T::drift, "How much faster a node's clocks run, drawn once a node; 0.01 is 1 %."),
          at_nodes<T>(), during<T>()};
}

Specs<ValkeyFaults> valkey_specs() {
  using T = ValkeyFaults;
  return {probability("restart", &T::restart, "The server restarts, per command."),
          probability("flush_scripts", &T::flush_scripts, "The server forgets its scripts, per command."),
          probability("evict", &T::evict, "A row is evicted, per command."),
          flag("keep_rows", &T::keep_rows, "Whether a restart keeps rows and queues."),
          probability("failover", &T::failover, "A replica takes over, per command."),
          count("lose", &T::lose, 0, static_cast<std::uint32_t>(RecentWrites::most),
                "How many of the newest writes it lacks at most."),
          probability("full", &T::full, "It refuses what takes memory for a while, per command."),
          range("full_for", &T::full_for, false, "For how long."),
          probability("slow", &T::slow, "A command runs long, and everybody waits, per command."),
          range("slow_for", &T::slow_for, false, "For how long."),
          probability("hang", &T::hang, "Somebody's script does not end, and everybody is told BUSY, per command."),
          range("hang_for", &T::hang_for, false, "Until it is killed; BUSY begins behind 5 s of silence."),
          probability("stale", &T::stale, "A replica answers, per read of a row."),
          range("lag", &T::lag, false, "How far behind the replica is."), during<T>()};
}

Specs<HandlerFaults> handler_specs() {
  using T = HandlerFaults;
  return {probability("fail", &T::fail, "The handler of a job raises, per job."),
          range("latency", &T::latency, false, "How long a handler takes before it applies."), at_nodes<T>(),
          at_tables<T>(), during<T>()};
}

Specs<LoaderFaults> loader_specs() {
  using T = LoaderFaults;
  return {probability("fail", &T::fail, "The source of truth answers an error, per load."),
          probability("slow", &T::slow, "It takes longer, per load."),
          range("slow_by", &T::slow_by, false, "How much longer it takes."),
          probability("stale", &T::stale, "A replica of it answers, per load."),
          range("lag", &T::lag, false, "How far behind the replica is."), at_nodes<T>(), at_tables<T>(), during<T>()};
}

Specs<DiskRules> disk_specs() {
  using T = DiskRules;
  return {probability<T>("sync_fail", &T::sync_fail, "A sync fails and drops what it should have made safe, per sync."),
          probability<T>("torn", &T::torn, "A lost write leaves a part of itself, per power loss and file."),
          at_nodes<T>(), during<T>()};
}

/// One group, or a list of them with aims of their own.
template <class Group>
Spec<Faults> rules(std::string name, Rules<Group> Faults::*member, Specs<Group> specs, std::string meaning) {
  Spec<Faults> spec{std::move(name), "table, or a list of tables", std::move(meaning), {}, {}, true, {}};
  spec.list = [member, specs](const std::string& key, const Faults& defaults, std::vector<SettingInfo>& out) {
    list_section<Group>(key, specs, defaults.*member, out);
  };
  spec.read = [member, specs](Reading& r, const std::string& key, const lua::Value& v, Faults& into) {
    const lua::Table* table = v.table();
    if (table == nullptr || table->entries.empty() || !table->is_list()) {
      return read_section<Group>(r, key, v, specs, into.*member);
    }
    if (table->entries.size() > rules_max) return r.problem(key, "at most " + std::to_string(rules_max) + " groups");
    for (std::size_t i = 0; i < table->entries.size(); ++i) {
      const std::string place = key + "[" + std::to_string(i + 1) + "]";
      r.given.insert(place);
      Group& group = i == 0 ? into.*member : (into.*member).more.emplace_back();
      read_section<Group>(r, place, table->entries[i].second, specs, group);
    }
  };
  return spec;
}

// Judged with the whole scenario ----------------------------------------------------------------------------------------

/// Every group of a kind with the path of its keys: "faults.nodes", or "faults.nodes[2]".
template <class Group, class Do>
void each(const Reading& reading, const std::string& path, const Rules<Group>& rules, Do visit) {
  const bool listed = reading.has(path + "[1]");
  visit(listed ? path + "[1]" : path, static_cast<const Group&>(rules));
  for (std::size_t i = 0; i < rules.more.size(); ++i) visit(path + "[" + std::to_string(i + 2) + "]", rules.more[i]);
}

void judge_names(Reading& reading, const std::string& key, const std::vector<std::string>& named,
                 const std::vector<std::string>& known) {
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (std::find(known.begin(), known.end(), named[i]) != known.end()) continue;
    reading.problem(key + "[" + std::to_string(i + 1) + "]", "there is no '" + named[i] + "' here" + hint(named[i], known));
  }
}

void judge_aim(Reading& reading, const std::string& path, const Aim& aim, const Scenario& scenario, bool of_messages) {
  std::vector<std::string> tables, senders = scenario.nodes;
  for (const TableSettings& table : scenario.tables) tables.push_back(table.name);
  senders.emplace_back("world");
  judge_names(reading, path + (of_messages ? ".to" : ".nodes"), aim.nodes, scenario.nodes);
  judge_names(reading, path + ".from", aim.from, senders);
  judge_names(reading, path + ".tables", aim.tables, tables);
}

/// A key that nothing comes of without another.
void idle(Reading& reading, const std::string& path, const char* key, const char* other, bool without) {
  const std::string needed = path + "." + other;
  if (without && reading.has(path + "." + key) && !reading.failed(needed)) {
    reading.problem(path + "." + key, "has no effect without " + needed);
  }
}

void judge_valkey(Reading& reading, const Faults& faults) {
  each(reading, "faults.valkey", faults.valkey, [&](const std::string& path, const ValkeyFaults& group) {
    idle(reading, path, "keep_rows", "restart", group.restart == 0 && group.keep_rows);
    idle(reading, path, "lose", "failover", group.failover == 0);
    idle(reading, path, "full_for", "full", group.full == 0);
    idle(reading, path, "slow_for", "slow", group.slow == 0);
    idle(reading, path, "hang_for", "hang", group.hang == 0);
    idle(reading, path, "lag", "stale", group.stale == 0);
  });
}

}  // namespace

Specs<Faults> fault_specs() {
  using T = Faults;
  return {rules("messages", &T::messages, message_specs(), "Coherence messages."),
          rules("connections", &T::connections, connection_specs(), "Connections to the server."),
          rules("nodes", &T::nodes, node_specs(), "Nodes."),
          rules("clocks", &T::clocks, clock_specs(), "Clocks of nodes."),
          rules("valkey", &T::valkey, valkey_specs(), "The server."),
          rules("handlers", &T::handlers, handler_specs(), "Handlers of jobs."),
          rules("loader", &T::loader, loader_specs(), "The source of truth, as a loader finds it."),
          rules("disks", &T::disks, disk_specs(), "Disks of nodes, as far as journals write to them.")};
}

void judge_faults(Reading& reading, const Scenario& scenario) {
  const Faults& faults = scenario.faults;
  const auto lane = [&](Lane wanted) {
    return std::any_of(scenario.tables.begin(), scenario.tables.end(), [&](const auto& t) { return t.lane == wanted; });
  };
  const bool judged_tables = !scenario.tables.empty() && !reading.failed("tables");
  const auto without_lane = [&](const std::string& key, const char* wanted, bool missing) {
    if (missing && judged_tables && reading.has(key)) {
      reading.problem(key, std::string("has no effect without a table whose lane is \"") + wanted + "\"");
    }
  };
  each(reading, "faults.messages", faults.messages, [&](const std::string& path, const MessageFaults& group) {
    judge_aim(reading, path, group.aim, scenario, true);
    if (group.drop == ppm_one && group.duplicate > 0) {
      reading.problem(path + ".duplicate", "contradicts drop = 1, which leaves no message to double");
    }
  });
  if (reading.has("faults.messages") && !lane(Lane::broadcast) && !lane(Lane::job) && judged_tables) {
    reading.problem("faults.messages", "has no effect without a table whose lane carries messages");
  }
  each(reading, "faults.connections", faults.connections, [&](const std::string& path, const ConnectionFaults& group) {
    judge_aim(reading, path, group.aim, scenario, false);
    idle(reading, path, "away_for", "away", group.away == 0);
    idle(reading, path, "partition_for", "partition", group.partition == 0);
    without_lane(path + ".away", "broadcast", !lane(Lane::broadcast));
  });
  each(reading, "faults.nodes", faults.nodes, [&](const std::string& path, const NodeFaults& group) {
    judge_aim(reading, path, group.aim, scenario, false);
    if (scenario.nodes.empty() && group.crash > 0) reading.problem(path + ".crash", "there is no node that could crash");
    idle(reading, path, "power_loss", "crash", group.crash == 0 && group.power_loss > 0);
    idle(reading, path, "down", "crash", group.crash == 0);
    idle(reading, path, "pause_for", "pause", group.pause == 0);
  });
  each(reading, "faults.clocks", faults.clocks, [&](const std::string& path, const ClockFaults& group) {
    judge_aim(reading, path, group.aim, scenario, false);
    idle(reading, path, "step_by", "step", group.step == 0);
    for (const char* key : {".offset", ".drift"}) {
      if (!reading.has(path + key) || !group.aim.during || group.aim.during->low_us == 0) continue;
      reading.problem(path + key, "is drawn as the run begins, which " + path + ".during leaves out");
    }
  });
  judge_valkey(reading, faults);
  each(reading, "faults.handlers", faults.handlers, [&](const std::string& path, const HandlerFaults& group) {
    judge_aim(reading, path, group.aim, scenario, false);
    without_lane(path + ".fail", "job", !lane(Lane::job) && group.fail > 0);
    without_lane(path + ".latency", "job", !lane(Lane::job) && group.latency.high_us > 0);
  });
  each(reading, "faults.loader", faults.loader, [&](const std::string& path, const LoaderFaults& group) {
    judge_aim(reading, path, group.aim, scenario, false);
    idle(reading, path, "slow_by", "slow", group.slow == 0);
    idle(reading, path, "lag", "stale", group.stale == 0);
  });
  each(reading, "faults.disks", faults.disks, [&](const std::string& path, const DiskRules& group) {
    judge_aim(reading, path, group.aim, scenario, false);
    without_lane(path + ".sync_fail", "job", !lane(Lane::job) && group.sync_fail > 0);
    without_lane(path + ".torn", "job", !lane(Lane::job) && group.torn > 0);
  });
}

}  // namespace cohsim::scenario_file
