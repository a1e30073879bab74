// What strikes the server: its restarts, what its replicas lack, and the times in which it refuses or hears nobody.
#include <algorithm>
#include <set>
#include <utility>

#include "model/server_host.h"

namespace cohsim {

void ServerHost::strike() {
  if (choices_.chance(Site::server_flush_scripts, actor_server, faults().flush_scripts)) flush_scripts();
  if (choices_.chance(Site::server_restart, actor_server, faults().restart)) restart(faults().keep_rows);
  if (choices_.chance(Site::server_failover, actor_server, faults().failover)) {
    failover(choices_.choose(Site::server_failover_lost, actor_server, faults().lose + 1));
  }
  const auto span = [this](Site site, const DurationRange& range) {
    return choices_.between(site, actor_server, range.low_us, range.high_us);
  };
  if (choices_.chance(Site::server_full, actor_server, faults().full)) {
    be_full(span(Site::server_full_span, faults().full_for));
  }
  if (choices_.chance(Site::server_slow, actor_server, faults().slow)) {
    be_slow(span(Site::server_slow_span, faults().slow_for), false);
  }
  if (choices_.chance(Site::server_hang, actor_server, faults().hang)) {
    be_slow(span(Site::server_hang_span, faults().hang_for), true);
  }
}

void ServerHost::maybe_evict() {
  if (!choices_.chance(Site::server_evict, actor_server, faults().evict)) return;
  const auto rows = server_.peek_all(wall_us());
  if (rows.empty()) return;
  evict(rows[choices_.choose(Site::server_evict_which, actor_server, rows.size())].first);
}

void ServerHost::restart(bool keep_rows) {
  server_.restart(keep_rows);
  if (!keep_rows) queues_.clear();
  recent_.clear();  // its replicas sync anew
  be_well();
  notes_(actor_server, event::ServerRestarted{keep_rows});
  network_->break_all("server restarted");
}

// Another process, without what the last one suffered from.
void ServerHost::be_well() {
  full_until_ = held_until_ = busy_from_ = busy_until_ = 0;
  network_->hold_server(0);
}

void ServerHost::be_full(DurationUs span) {
  full_until_ = scheduler_.now() + span;
  notes_(actor_server, event::ServerFull{span});
}

bool ServerHost::is_full() const { return plan_.on() && scheduler_.now() < full_until_; }

// The fake refuses by itself then, command by command, as it does wherever `maxmemory` is passed.
void ServerHost::meet_memory() {
  if (is_full() == full_) return;
  full_ = !full_;
  const std::vector<std::string> args{"CONFIG", "SET", "maxmemory", full_ ? "1" : "0"};
  server_.execute(0, args, wall_us());
}

void ServerHost::be_slow(DurationUs span, bool hangs) {
  const TimeUs now = scheduler_.now(), end = now + span;
  // Nobody is heard before the threshold, whoever kills the script.
  const bool killed = span == 0 && now < busy_until_;
  busy_from_ = killed ? busy_from_ : hangs ? now + busy_after_us : end;
  busy_until_ = killed ? std::max(now, busy_from_) : hangs ? end : 0;
  held_until_ = std::min(end, std::max(now, busy_from_));
  network_->hold_server(held_until_);
  notes_(actor_server, event::ServerSlow{span, hangs});
}

void ServerHost::hear_again() {
  if (scheduler_.now() < std::max(held_until_, busy_until_)) be_slow(0, false);
}

bool ServerHost::is_busy() const { return scheduler_.now() >= busy_from_ && scheduler_.now() < busy_until_; }

std::optional<valkey::Reply> ServerHost::answer_of_replica(Actor node, const std::vector<std::string>& args) {
  if (args.size() != 2 || args[0] != "GET") return std::nullopt;
  DurationUs behind = plan_.on() ? replica_lag_us_ : 0;
  if (choices_.chance(Site::server_stale, node, faults().stale)) {
    behind = choices_.between(Site::server_lag, node, faults().lag.low_us, faults().lag.high_us);
  }
  if (behind == 0) return std::nullopt;
  notes_(actor_server, event::ReplicaRead{node, args[1], behind});
  const auto row = recent_.row_at(args[1], server_.peek(args[1], wall_us()), scheduler_.now() - behind);
  if (!row || (row->deadline_ms && *row->deadline_ms <= wall_ms())) return valkey::Reply::of_nil();
  return row->is_string() ? std::optional(valkey::Reply::of_bulk(row->bytes)) : std::nullopt;
}

std::size_t ServerHost::failover(std::size_t lose) {
  const RecentWrites::Lost lost = recent_.take_newest(lose);
  server_.restart(true);
  be_well();
  notes_(actor_server, event::ServerFailedOver{lost.writes});
  for (const auto& [key, row] : lost.rows) server_.put_back(key, row, wall_us());
  for (const auto& [queue, changes] : lost.queues) {
    JobQueue& jobs = queues_.at(queue);
    jobs.put_back(changes);
    std::set<std::string_view> told;
    for (const JobQueue::Past& change : changes) {
      if (!told.insert(change.job).second) continue;
      const JobQueue::Row* row = jobs.find(change.job);
      notes_(actor_server,
             event::JobWentBack{queue, change.job, row ? std::string_view(row->payload) : std::string_view(),
                                row ? row->state : JobState::absent, row ? row->attempts : 0, row ? row->token : 0});
    }
  }
  network_->break_all("server failed over");
  return lost.writes;
}

void ServerHost::end_write(const std::string& queue) {
  if (recent_.keeps()) recent_.end_write(queue, std::exchange(job_changes_, {}), scheduler_.now());
}

void ServerHost::flush_scripts() {
  const std::vector<std::string> args{"SCRIPT", "FLUSH"};
  server_.execute(0, args, wall_us());
  notes_(actor_server, event::ScriptsFlushed{});
}

bool ServerHost::evict(const std::string& key) {
  const bool evicted = server_.evict(key, wall_us());
  end_write({});
  return evicted;
}

}  // namespace cohsim
