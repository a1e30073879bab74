// What becomes of messages: the broadcast lane, the job lane, the journal.
#include "reports/schedule_lines.h"

#include <fmt/format.h>

#include "reports/escape.h"
#include "reports/schedule_words.h"
#include "reports/state_text.h"

namespace cohsim {

// Messages ---------------------------------------------------------------------------------------------------------------

void ScheduleLines::message(const When& when, const std::string& verb, Actor to, std::uint8_t lane,
                            std::string_view bytes, bool lost) {
  add(when, actor_server, to, payload_name(bytes),
      fmt::format("{} {}{}", lane == 1 ? "message" : "the job of", payload_text(bytes), verb))
      .lost = lost;
}
void ScheduleLines::on(const When& when, const event::MessageSent& e) {
  if (e.lane != 1 || e.copy_of != 0 || e.from == actor_server) return;
  if (bool first = published_.insert(fmt::format("{} {}", when.step, e.bytes)).second; !first) return;
  add(when, e.from, actor_server, payload_name(e.bytes), fmt::format("PUBLISH {}", payload_text(e.bytes)));
}
void ScheduleLines::on(const When& when, const event::MessageDropped& e) {
  const std::string why = e.cause == "away"        ? "nobody subscribed"
                          : e.cause == "partition" ? "the link is cut"
                          : e.cause == "node_down" ? "the node is down"
                                                   : std::string(e.cause);
  message(when, fmt::format(" is lost: {}", why), e.to, e.lane, e.bytes, true);
}
void ScheduleLines::on(const When& when, const event::MessageHeld& e) {
  if (e.lane != 1) held_.insert(std::string(e.bytes));
  message(when, " is held up on its way", e.to, e.lane, e.bytes, true);
}
void ScheduleLines::on(const When& when, const event::MessageDelivered& e) {
  if (e.lane != 1) {  // its claim is the line, and this one where it took its time
    if (held_.erase(std::string(e.bytes)) != 0) message(when, " arrives", e.to, e.lane, e.bytes, false);
    return;
  }
  if (e.from == e.to) echoes_[{e.to, payload_text(e.bytes)}] = lines_.size();
  message(when, "", e.to, e.lane, e.bytes, false);
}
void ScheduleLines::on(const When& when, const event::MessageMalformed& e) {
  add(when, e.node, e.node, "", fmt::format("{} is no message: ignored", quoted(e.bytes)));
}
void ScheduleLines::on(const When& when, const event::RingOffered& e) {
  if (!e.accepted) add(when, e.node, e.node, e.id, fmt::format("the ring is full: {} is refused", e.version));
}

// The job lane and the journal ------------------------------------------------------------------------------------------

void ScheduleLines::on(const When& when, const event::JobEnqueued& e) {
  job(e.job, e.payload);
  const std::string what = fmt::format("enqueue {} of {}", e.job, payload_text(e.payload));
  add(when, caller_, actor_server, payload_name(e.payload),
      e.answered_duplicate ? fmt::format("{}: DUPLICATE, the job is {}", what, name_of(e.state)) : what);
}
void ScheduleLines::on(const When& when, const event::JobClaimed& e) {
  job(e.job, e.payload);
  echoes_[{e.node, payload_text(e.payload)}] = lines_.size();
  claimed_[e.node] = e.job;
  add(when, actor_server, e.node, payload_name(e.payload),
      fmt::format("claims {} of {}, token {}", e.job, payload_text(e.payload), e.token));
}
void ScheduleLines::on(const When& when, const event::JobSettled& e) {
  if (idle_jobs_.erase(std::string(e.job)) != 0 && e.answered == Outcome::ok && e.verb == "complete") return;
  std::string text = fmt::format("{} {}, token {}: {}", e.verb, e.job, e.token, name_of(e.answered));
  if (e.after == JobState::dead) text = fmt::format("{} {}: no attempt is left, it is dead", e.verb, e.job);
  const auto known = ids_.job_names.find(std::string(e.job));
  add(when, e.node, actor_server, known != ids_.job_names.end() ? known->second : std::string(), text);
}
void ScheduleLines::on(const When& when, const event::JobMoved& e) {
  const auto known = ids_.job_names.find(std::string(e.job));
  add(when, caller_, actor_server, known != ids_.job_names.end() ? known->second : std::string(),
      fmt::format("{}: {} is due again", e.verb, e.job));
}
void ScheduleLines::on(const When& when, const event::JobWentBack& e) {
  if (!e.payload.empty()) job(e.job, e.payload);
  const auto known = ids_.job_names.find(std::string(e.job));
  add(when, actor_server, actor_server, known != ids_.job_names.end() ? known->second : std::string(),
      fmt::format("{} is {} again", e.job, name_of(e.state)));
}
void ScheduleLines::on(const When& when, const event::HandlerEnded& e) {
  const auto known = ids_.job_names.find(std::string(e.job));
  if (e.raised) {
    add(when, e.node, e.node, known != ids_.job_names.end() ? known->second : std::string(),
        fmt::format("the handler of {} fails", e.job));
  }
}
void ScheduleLines::on(const When& when, const event::JournalAttempted& e) {
  if (e.write != JournalWrite::record && e.write != JournalWrite::compact) return;
  const std::string verb = e.write == JournalWrite::record ? "records" : "forgets";
  for (const JournalContents::Intent& intent : *e.intents) {
    job(intent.job, intent.name + ":" + intent.version);
    // Under per_node a write has an intent for each queue: one line.
    ScheduleLine* last = lines_.empty() ? nullptr : &lines_.back();
    const std::string tail = " of " + intent.version;
    if (last != nullptr && last->step == when.step && last->id == intent.name &&
        last->text.rfind("journal " + verb, 0) == 0 && last->text.size() > tail.size() &&
        last->text.compare(last->text.size() - tail.size(), tail.size(), tail) == 0) {
      last->text.insert(last->text.size() - tail.size(), ", " + intent.job);
      continue;
    }
    add(when, e.node, e.node, intent.name, fmt::format("journal {} {}{}", verb, intent.job, tail));
  }
}
void ScheduleLines::on(const When& when, const event::JournalFailed& e) {
  add(when, e.node, e.node, "", "the journal's transaction fails");
}
void ScheduleLines::on(const When& when, const event::SyncFailed& e) {
  add(when, e.node, e.node, "", "a sync of the journal's disk fails, its pages are dropped");
}
void ScheduleLines::on(const When& when, const event::DiedInCommit& e) {
  add(when, e.node, e.node, "", "dies inside a commit of the journal");
}
void ScheduleLines::on(const When& when, const event::DiskHarmed& e) {
  std::string text;
  if (e.torn != 0) text = fmt::format("its disk keeps {}", counted(e.torn, "torn write"));
  if (e.dropped != 0)
    text += fmt::format("{} pages of {}", text.empty() ? "its disk loses" : ", loses", counted(e.dropped, "file"));
  if (!text.empty()) add(when, e.node, e.node, "", text);
}
void ScheduleLines::on(const When& when, const event::JournalRecovered& e) {
  if (!e.after_power_loss && e.contents->intents.empty() && e.contents->applied.empty()) return;
  add(when, e.node, e.node, "", "its journal is back with " + counted(e.contents->intents.size(), "intent"));
}
void ScheduleLines::on(const When& when, const event::JournalSetAside& e) {
  add(when, e.node, e.node, "", "its journal cannot be read: it begins anew, empty");
}
void ScheduleLines::on(const When& when, const event::JournalCallEnded& e) {
  if (idle_jobs_.count(claimed_[e.node]) != 0) return;
  const bool inert = e.verdict == JournalVerdict::remembered_stale;
  add(when, e.node, e.node, e.id,
      inert ? fmt::format("{} is remembered: L1 is not touched", e.version)
            : fmt::format("the journal {} {}", e.verdict == JournalVerdict::failed ? "fails at" : "remembers",
                          e.version));
}
void ScheduleLines::on(const When& when, const event::ReplayBegan& e) {
  replays_[e.node] = lines_.size();
  add(when, e.node, e.node, "", "its journal replays");
}
void ScheduleLines::on(const When&, const event::ReplayEnded& e) {
  const auto began = replays_.find(e.node);
  if (began != replays_.end() && e.replayed == 0 && e.deduplicated == 0)
    lines_[began->second].kind = ScheduleLine::Kind::quiet;
}

}  // namespace cohsim
