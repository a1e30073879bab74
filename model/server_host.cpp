#include "model/server_host.h"

#include <algorithm>
#include <utility>

#include "model/message.h"

namespace cohsim {

namespace {

// Nothing where no write can be lost, and no replica lag.
std::size_t writes_kept(const Scenario& scenario) {
  const auto looks_back = [](const ValkeyFaults& faults) { return faults.failover != 0 || faults.stale != 0; };
  const Rules<ValkeyFaults>& rules = scenario.faults.valkey;
  const bool any = looks_back(rules) || std::any_of(rules.more.begin(), rules.more.end(), looks_back);
  return scenario.has_steps || any ? RecentWrites::most : 0;
}

}  // namespace

ServerHost::ServerHost(lua::Interpreter& interpreter, const Scenario& scenario, const ScriptUnderTest& script,
                       Scheduler& scheduler, Choices& choices, Notes& notes, const FaultPlan& faults)
    : scenario_(scenario),
      scheduler_(scheduler),
      choices_(choices),
      notes_(notes),
      plan_(faults),
      script_(script),
      start_us_(scenario.design.start_unix_ms * us_per_ms),
      // Some 40 000 times what the script needs; a script that does not end is found in milliseconds.
      server_(interpreter, {.collate = scenario.design.collate,
                            .instruction_limit = 1'000'000,
                            .pushes = this,
                            .rows = this,
                            .personality = valkey::find_personality(scenario.design.emulate)}),
      recent_(writes_kept(scenario)) {
  for (std::size_t table = 0; table < scenario.tables.size(); ++table) {
    const std::string& name = scenario.tables[table].name;
    channels_[broadcast_channel(name)] = static_cast<std::uint16_t>(table);
    prefixes_.push_back("ecc:{" + name + "}:");
  }
}

valkey::Reply ServerHost::command(Actor node, ConnectionId connection, std::uint32_t epoch,
                                  const std::vector<std::string>& args) {
  if (is_busy()) return valkey::Reply::of_error(server_.busy_text());
  if (std::optional<valkey::Reply> stale = answer_of_replica(node, args)) return *std::move(stale);
  meet_memory();
  acting_ = node;
  maybe_evict();
  reached_.clear();
  const valkey::ClientId client = client_id(connection, epoch);
  const valkey::Reply reply = server_.execute(client, args, wall_us());
  // The server meets the end of that stream right behind the command: what it subscribed to ends with it.
  if (network_->epoch(connection) != epoch) server_.disconnect(client);
  if (args.size() == 3 && args[0] == "PUBLISH" && !reply.is_error()) note_missed(node, args);
  end_write({});
  acting_ = actor_server;
  return reply;
}

valkey::Reply ServerHost::raw(const std::vector<std::string>& args) {
  if (is_busy()) {
    if (args != std::vector<std::string>{"SCRIPT", "KILL"}) return valkey::Reply::of_error(server_.busy_text());
    be_slow(0, true);
    return valkey::Reply::of_status("OK");
  }
  meet_memory();
  valkey::Reply reply = server_.execute(0, args, wall_us());
  end_write({});
  return reply;
}

valkey::Reply ServerHost::drop(Actor node, ConnectionId connection, std::uint32_t epoch, TableRef table,
                               std::string_view id, const std::string& key, const std::string& version) {
  if (is_busy()) return valkey::Reply::of_error(server_.busy_text());
  meet_memory();
  acting_ = node;
  maybe_evict();
  std::vector<std::string> args{"EVALSHA", script_.sha1, "1", key, version};
  const Design& design = scenario_.design;
  if (design.after_drop == AfterDrop::floor) {
    args = {"EVALSHA", script_.sha1, "2", key, floor_key(table.name, id), version, std::to_string(floor_ms)};
  } else if (design.fill_write == FillWrite::lease) {
    args = {"EVALSHA", script_.sha1, "2", key, lease_key(table.name, id), version};
  }
  const std::optional<valkey::Row> before = server_.peek(key, wall_us());
  valkey::ScriptReport report;
  const valkey::Reply reply = server_.execute_reported(client_id(connection, epoch), args, wall_us(), report);
  // What a full server made of it is no verdict on the script.
  if (!(reply.is_error() && (reply.text.starts_with("NOSCRIPT") || reply.text.starts_with("OOM")))) {
    const std::optional<valkey::Row> after = server_.peek(key, wall_us());
    // Once more, taken back at once: a script that is idempotent changes nothing now. Not while it would hang again.
    bool changed = false;
    const valkey::Reply again = report.endless ? reply : server_.rehearse(args, wall_us(), &changed);
    notes_(actor_server,
           event::ScriptRan{node, table, id, key, version, before ? &*before : nullptr, after ? &*after : nullptr,
                            &reply, &again, changed, &report.keys_touched, report.endless,
                            report.endless_at});
  }
  end_write({});
  acting_ = actor_server;
  return reply;
}

JobQueue& ServerHost::queue_named(const std::string& queue) {
  const auto [place, made] = queues_.try_emplace(queue, scenario_.design.token);
  if (made && recent_.keeps()) place->second.log_to(&job_changes_);
  return place->second;
}

Outcome ServerHost::enqueue(const std::string& queue, const std::string& job, const std::string& payload,
                            const std::string& group) {
  if (refuses_jobs()) return Outcome::failed;
  JobQueue& jobs = queue_named(queue);
  const JobQueue::Row* row = jobs.find(job);
  const JobState before = row == nullptr ? JobState::absent : row->state;
  const std::string payload_before = row == nullptr ? std::string() : row->payload;
  // Defect: HSET without looking whether the row exists.
  if (defect_ == Defect::enqueue_overwrites && row != nullptr) {
    jobs.complete(job, row->token);
    row = nullptr;
  }
  const Outcome outcome = jobs.enqueue(job, payload, group);
  end_write(queue);
  const JobQueue::Row* after = jobs.find(job);
  const bool written = (after != nullptr && row == nullptr) ||
                       (after != nullptr && (after->state != before || after->payload != payload_before));
  notes_(actor_server, event::JobEnqueued{queue, job, payload, group, before, written, outcome == Outcome::duplicate});
  return outcome;
}

std::optional<JobQueue::Claim> ServerHost::claim(Actor node, const std::string& queue) {
  if (refuses_jobs()) return std::nullopt;
  const auto claim = queue_named(queue).claim(wall_ms());
  end_write(queue);
  if (claim) {
    notes_(actor_server,
           event::JobClaimed{node, queue, claim->job, claim->payload, claim->token, claim->deadline_ms,
                             claim->attempts});
  }
  return claim;
}

Outcome ServerHost::settle_job(Actor node, const std::string& queue, const std::string& job, std::int64_t token,
                               bool complete) {
  if (complete ? is_busy() : refuses_jobs()) return Outcome::failed;  // completing only deletes
  JobQueue& jobs = queue_named(queue);
  const auto look = [&](JobState& state, std::int64_t& attempts) {
    const JobQueue::Row* row = jobs.find(job);
    state = row == nullptr ? JobState::absent : row->state;
    attempts = row == nullptr ? 0 : row->attempts;
  };
  JobState before, after;
  std::int64_t attempts_before, attempts_after;
  look(before, attempts_before);
  // Defect: nobody compares the token.
  const JobQueue::Row* row = jobs.find(job);
  const std::int64_t fence = defect_ == Defect::token_ignored && row != nullptr ? row->token : token;
  const Outcome outcome = complete ? jobs.complete(job, fence) : jobs.retry(job, fence, wall_ms());
  end_write(queue);
  look(after, attempts_after);
  notes_(actor_server, event::JobSettled{node, queue, job, complete ? "complete" : "retry", token, before,
                                         attempts_before, after, attempts_after, outcome});
  return outcome;
}

void ServerHost::reap(const std::string& queue) {
  if (refuses_jobs()) return;
  JobQueue& jobs = queue_named(queue);
  for (const std::string& job : jobs.reap(wall_ms())) {
    notes_(actor_server, event::JobMoved{queue, job, "reap", jobs.find(job)->attempts});
  }
  end_write(queue);
}

void ServerHost::promote(const std::string& queue) {
  if (refuses_jobs()) return;
  JobQueue& jobs = queue_named(queue);
  for (const std::string& job : jobs.promote(wall_ms())) {
    notes_(actor_server, event::JobMoved{queue, job, "promote", jobs.find(job)->attempts});
  }
  end_write(queue);
}

void ServerHost::disconnected(ConnectionId connection, std::uint32_t epoch) {
  server_.disconnect(client_id(connection, epoch));
}

std::size_t ServerHost::unfinished_jobs() const {
  std::size_t count = 0;
  for (const auto& [name, queue] : queues_) count += queue.unfinished();
  return count;
}

void ServerHost::push(valkey::ClientId subscriber, std::string_view channel, std::string_view payload) {
  const auto found = channels_.find(channel);
  if (found == channels_.end() || subscriber == 0) return;  // 0: a scenario's raw command, which is no node
  const auto connection = static_cast<ConnectionId>(subscriber >> 32);
  Message message;
  message.from = acting_;
  message.to = network_->client_of(connection);
  reached_.push_back(message.to);
  message.lane = static_cast<std::uint8_t>(Lane::broadcast);
  message.table = found->second;
  message.tag = subscriber;
  message.bytes = payload;
  network_->post(std::move(message));
}

// Those who ought to hear a broadcast and are not subscribed now: lost for them, and counted as such.
void ServerHost::note_missed(Actor node, const std::vector<std::string>& args) {
  const auto found = channels_.find(args[1]);
  if (found == channels_.end() || !listeners) return;
  for (const auto& [listener, cause] : listeners(found->second)) {
    if (std::find(reached_.begin(), reached_.end(), listener) != reached_.end()) continue;
    Message message;
    message.from = node;
    message.to = listener;
    message.lane = static_cast<std::uint8_t>(Lane::broadcast);
    message.table = found->second;
    message.bytes = args[2];
    network_->post_lost(std::move(message), cause);
  }
}

void ServerHost::row_changed(std::string_view key, const valkey::Row* before, const valkey::Row* after,
                             std::string_view cause) {
  recent_.row_changed(key, before, cause);
  event::RowChanged changed{key, before, after, cause, false, {}, {}};
  for (std::size_t table = 0; table < prefixes_.size(); ++table) {
    if (!key.starts_with(prefixes_[table])) continue;
    changed.ours = true;
    changed.table = {static_cast<std::uint16_t>(table), scenario_.tables[table].name};
    changed.id = key.substr(prefixes_[table].size());
  }
  notes_(acting_, changed);
}

}  // namespace cohsim
