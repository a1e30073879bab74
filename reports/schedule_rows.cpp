// What happens to rows: writes, L1, flights, L2 and the script that drops there.
#include "reports/schedule_lines.h"

#include <fmt/format.h>

#include "reports/escape.h"
#include "reports/schedule_words.h"
#include "reports/state_text.h"

namespace cohsim {
namespace {

std::string row_text(const valkey::Row* row) {
  if (row == nullptr) return "no row";
  if (row->bytes.size() < version_bytes) return fmt::format("the row is {}", quoted(row->bytes));
  return fmt::format("the row is {}", version_of(row->bytes));
}

}  // namespace

// Writes and L1 ----------------------------------------------------------------------------------------------------------

void ScheduleLines::on(const When& when, const event::Minted& e) {
  version(e.version, "", fmt::format("minted by {}", actor_name_in(scenario_, e.node)));
  add(when, e.node, e.node, "", fmt::format("mints {}", e.version)).kind = ScheduleLine::Kind::mint;
}
void ScheduleLines::on(const When& when, const event::Committed& e) {
  const bool by_node = e.node != actor_world;
  version(e.version, e.value,
          by_node ? fmt::format("written by {}", actor_name_in(scenario_, e.node))
                  : std::string("put straight into the source of truth"));
  add(when, e.node, column_truth, e.id, fmt::format("commits {} {}", e.version, quoted(e.value)))
      .cells.push_back({column_truth, std::string(e.id), std::string(e.version)});
}
void ScheduleLines::on(const When& when, const event::WriteEnded& e) {
  if (!e.ok) add(when, e.node, e.node, e.id, fmt::format("the write of {} fails: it announces nothing", e.version));
}
void ScheduleLines::on(const When& when, const event::L1Changed& e) {
  const std::string_view after = e.after.value_or("");
  std::string text;
  if (e.why == L1Cause::fill) text = fmt::format("L1 takes {} {}", after, quoted(e.value.value_or("")));
  if (e.why == L1Cause::invalidate) text = "invalidated: L1 drops its row";
  if (e.why == L1Cause::expired) text = fmt::format("{} expires in L1", e.before.value_or(""));
  if (e.why == L1Cause::reclaimed) text = fmt::format("{} is reclaimed from L1", e.before.value_or(""));
  // Behind its SET, an insertion by put tells nothing new; that by coherence is told with its verdict.
  if (text.empty())
    quiet(when, e.node, e.id, after);
  else
    add(when, e.node, e.node, e.id, text).cells.push_back({e.node, std::string(e.id), std::string(after)});
}
void ScheduleLines::on(const When& when, const event::OwnerDied& e) {
  add(when, e.node, e.node, "", "the table's owner dies: L1 is empty").cells.push_back({e.node, "", ""});
}
void ScheduleLines::on(const When& when, const event::CoherenceApplied& e) {
  std::string text = "stale: L1 holds no row";
  if (e.row) text = fmt::format("stale: L1 keeps {}", *e.row);
  if (e.verdict == Verdict::applied) text = fmt::format("applied: L1 drops {}", e.row.value_or("its row"));
  add(when, e.node, e.node, e.id, text);
  if (e.verdict == Verdict::stale && e.row == e.version) {
    forget_echo(e.node, e.version);
    if (e.lane != 1) idle_jobs_.insert(claimed_[e.node]);
  }
  echoes_.erase({e.node, std::string(e.version)});
}
// A writer's own message that finds the writer's own row: nothing happens, and no line tells of it.
void ScheduleLines::forget_echo(Actor node, std::string_view version) {
  const auto echo = echoes_.find({node, std::string(version)});
  if (echo == echoes_.end()) return;
  for (std::size_t i = echo->second; i < lines_.size(); ++i) {
    ScheduleLine& line = lines_[i];
    const bool touches = line.to == node || line.from == node;
    const bool told = line.kind == ScheduleLine::Kind::event && line.text.find(version) != std::string::npos;
    if (touches && told && line.cells.empty() && line.text.rfind("journal ", 0) != 0)
      line.kind = ScheduleLine::Kind::quiet;
  }
}

// Flights --------------------------------------------------------------------------------------------------------------

void ScheduleLines::on(const When& when, const event::FetchEnded& e) {
  if (e.outcome == FetchOutcome::hit || (with_reads_ && e.version)) {
    add(when, e.node, e.node, e.id,
        fmt::format("a read is answered {} {}{}", *e.version, quoted(e.value.value_or("")),
                    e.outcome == FetchOutcome::hit ? " from L1" : ""));
  }
}
void ScheduleLines::on(const When& when, const event::FlightBegan& e) {
  add(when, e.node, e.node, e.id, fmt::format("{} {}", flight_text, e.flight));
}
void ScheduleLines::on(const When& when, const event::FlightJoined& e) {
  if (e.waiter > e.flight) add(when, e.node, e.node, e.id, fmt::format("another read joins flight {}", e.flight));
}
void ScheduleLines::on(const When& when, const event::FlightRead& e) {
  if (e.layer == "source") {
    add(when, column_truth, e.node, e.id,
        e.version ? fmt::format("loads {} {}", *e.version, quoted(*e.value)) : "loads nothing");
  } else if (e.version) {
    version(*e.version, *e.value, "");
    add(when, actor_server, e.node, e.id, fmt::format("GET finds {} {}", *e.version, quoted(*e.value)));
  }
}
void ScheduleLines::on(const When& when, const event::FlightEnded& e) {
  if (e.outcome == FetchOutcome::failed || e.outcome == FetchOutcome::corrupt) {
    add(when, e.node, e.node, e.id, fmt::format("flight {} ends: {}", e.flight, name_of(e.outcome)));
  }
}
void ScheduleLines::on(const When& when, const event::LoaderStruck& e) {
  add(when, e.node, e.node, e.id,
      e.what == "stale"  ? fmt::format("its loader sees the source as it was {} ago", duration_text(e.by_us))
      : e.what == "slow" ? fmt::format("its load takes {} longer", duration_text(e.by_us))
                         : fmt::format("its load {}", e.what));
}
void ScheduleLines::on(const When& when, const event::FullSkip& e) {
  add(when, e.node, e.node, e.id, "L1 is full: not inserted");
}

// L2 and the script ----------------------------------------------------------------------------------------------------

// What `after_drop = "floor"` leaves behind: a row beside the row, of a version alone.
void ScheduleLines::floor(const When& when, const event::RowChanged& e) {
  if (e.key.rfind("ecc.floor:", 0) != 0 || e.key.size() < version_bytes) return;
  const std::string_view id = e.key.substr(e.key.size() - version_bytes);
  if (e.after != nullptr) {
    add(when, when.actor, actor_server, id, fmt::format("leaves the floor {}", version_of(e.after->bytes)));
  } else if (e.before != nullptr) {
    add(when, actor_server, actor_server, id,
        fmt::format("the floor {} is gone: {}", version_of(e.before->bytes), e.cause));
  }
}
void ScheduleLines::on(const When& when, const event::RowChanged& e) {
  if (!e.ours) return floor(when, e);
  const std::string_view after = e.after != nullptr ? std::string_view(e.after->bytes) : std::string_view();
  const std::string_view known = version_of(after);
  frame(after, when.actor);
  if (e.cause == "restart") {
    quiet(when, actor_server, e.id, known);
    return;
  }
  const std::string row = fmt::format("{} {}", known, quoted(after.substr(known.size())));
  const bool by_itself = e.cause == "expired" || e.cause == "evicted" || e.cause == "failover";
  std::string text = after.empty() ? std::string(e.cause) : fmt::format("{} {}", e.cause, row);
  if (by_itself) text = fmt::format("the row is gone: {}", e.cause);
  if (e.cause == "failover")
    text = after.empty() ? std::string("there is no row again") : fmt::format("the row is {} again", row);
  add(when, by_itself ? actor_server : when.actor, actor_server, e.id, text)
      .cells.push_back({actor_server, std::string(e.id), std::string(known)});
}
void ScheduleLines::on(const When& when, const event::WriteRefused& e) {
  add(when, e.layer == "l2" ? actor_server : e.node, e.node, e.id,
      fmt::format(
          "{} refuses the {} of {}{}", e.layer == "l2" ? "L2" : "L1", e.what, e.version,
          e.standing && !e.standing->empty() ? fmt::format(": {} stands", version_of(*e.standing)) : std::string()));
}
void ScheduleLines::on(const When& when, const event::ScriptRan& e) {
  // The script's own deletion is told here.
  if (!lines_.empty() && lines_.back().step == when.step && lines_.back().id == e.id && lines_.back().text == "DEL") {
    lines_.back().kind = ScheduleLine::Kind::quiet;
    lines_.back().text.clear();
  }
  version(version_of(e.argument), "", "");
  std::string text = fmt::format("drop {}: {}", e.argument, row_text(e.before));
  if (e.before != nullptr) text += e.after == nullptr ? ", erased" : ", kept";
  add(when, e.node, actor_server, e.id, text);
}
void ScheduleLines::on(const When& when, const event::DropAnswered& e) {
  if (e.outcome != Outcome::ok)
    add(when, e.node, e.node, e.id, fmt::format("drop {}: {}", e.version, name_of(e.outcome)));
}
void ScheduleLines::on(const When& when, const event::ServerRestarted& e) {
  ScheduleLine& line = add(when, actor_server, actor_server, "",
                           e.kept_rows ? "the server restarts, rows kept" : "the server restarts, and is empty");
  if (!e.kept_rows) line.cells.push_back({actor_server, "", ""});
}
void ScheduleLines::on(const When& when, const event::ServerFailedOver& e) {
  add(when, actor_server, actor_server, "",
      e.lost_writes == 0
          ? std::string("a replica takes over, nothing is lost")
          : fmt::format("a replica takes over, and lacks the newest {}", counted(e.lost_writes, "write")));
}
void ScheduleLines::on(const When& when, const event::ServerFull& e) {
  add(when, actor_server, actor_server, "",
      e.span_us == 0 ? std::string("the server has memory again")
                     : fmt::format("the server refuses what takes memory, for {}", duration_text(e.span_us)));
}
void ScheduleLines::on(const When& when, const event::ServerSlow& e) {
  add(when, actor_server, actor_server, "",
      e.span_us == 0 ? std::string("the server hears everybody again")
                     : fmt::format("{} for {}", e.hangs ? "a script does not end" : "the server hears nobody",
                                   duration_text(e.span_us)));
}
void ScheduleLines::on(const When& when, const event::ReplicaRead& e) {
  const std::string_view id = e.key.size() < version_bytes ? e.key : e.key.substr(e.key.size() - version_bytes);
  add(when, actor_server, e.node, id, fmt::format("a replica answers, which is {} behind", duration_text(e.behind_us)));
}
void ScheduleLines::on(const When& when, const event::ScriptsFlushed&) {
  add(when, actor_server, actor_server, "", "the script cache is flushed");
}
void ScheduleLines::on(const When&, const event::RequestRan& e) { caller_ = e.node; }
void ScheduleLines::on(const When& when, const event::ConnectionBroke& e) {
  if (e.why == "node died" || e.why == "server restarted" || e.why == "server failed over")
    return;  // the line above says so
  const std::string text = fmt::format("a connection breaks: {}", e.why);
  if (!lines_.empty() && lines_.back().from == e.node && lines_.back().text == text) return;
  add(when, e.node, e.node, "", text);
}

}  // namespace cohsim
