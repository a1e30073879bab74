// The ids and lines that all others make, and what happens to nodes, clocks, the server and the scenario.
#include "reports/schedule_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/escape.h"
#include "reports/schedule_words.h"
#include "reports/state_text.h"

namespace cohsim {

ScheduleLine& ScheduleLines::add(const When& when, Actor from, Actor to, std::string_view id, std::string text) {
  ScheduleLine line;
  line.step = when.step;
  line.at = when.at;
  line.from = from;
  line.to = to;
  line.id = id;
  line.text = std::move(text);
  lines_.push_back(std::move(line));
  return lines_.back();
}

ScheduleLine& ScheduleLines::quiet(const When& when, Actor column, std::string_view id, std::string_view version) {
  ScheduleLine& line = add(when, column, column, id, {});
  line.kind = ScheduleLine::Kind::quiet;
  line.cells.push_back({column, std::string(id), std::string(version)});
  return line;
}

void ScheduleLines::version(std::string_view version, std::string_view value, const std::string& origin) {
  const std::string key(version);
  if (std::find(ids_.versions.begin(), ids_.versions.end(), key) == ids_.versions.end()) ids_.versions.push_back(key);
  if (!value.empty()) ids_.values[key] = value;
  if (!origin.empty()) ids_.origins[key] = origin;
}

void ScheduleLines::frame(std::string_view bytes, Actor writer) {
  if (bytes.size() < version_bytes) return;
  const std::string known(version_of(bytes));
  version(known, bytes.substr(version_bytes),
          ids_.origins.count(known) != 0 ? "" : "stored by " + actor_name_in(scenario_, writer));
}

void ScheduleLines::job(std::string_view job, std::string_view payload) {
  const std::string key(job);
  if (std::find(ids_.jobs.begin(), ids_.jobs.end(), key) == ids_.jobs.end()) ids_.jobs.push_back(key);
  ids_.job_names[key] = payload_name(payload);
}

// Nodes, clocks, the world ---------------------------------------------------------------------------------------------

void ScheduleLines::on(const When& when, const event::NodeStarted& e) {
  if (!e.again) return;
  add(when, e.node, e.node, "", "starts again, with an empty L1").started.insert(e.node);
}
void ScheduleLines::on(const When& when, const event::NodeCrashed& e) {
  ScheduleLine& line =
      add(when, e.node, e.node, "",
          !e.power            ? std::string("crashes")
          : e.lost_bytes == 0 ? std::string("loses power")
                              : fmt::format("loses power, and {} of its disk", counted(e.lost_bytes, "byte")));
  line.stopped.insert(e.node);
  line.cells.push_back({e.node, "", ""});
}
void ScheduleLines::on(const When& when, const event::NodeLeft& e) {
  ScheduleLine& line = add(when, e.node, e.node, "", "leaves for good");
  line.stopped.insert(e.node);
  line.cells.push_back({e.node, "", ""});
}
void ScheduleLines::on(const When& when, const event::ClockStepped& e) {
  add(when, e.node, e.node, "", fmt::format("its clock steps by {}", shift_text(e.by_us)));
}
void ScheduleLines::on(const When& when, const event::NodePaused& e) {
  add(when, e.node, e.node, "", fmt::format("stands still for {}", duration_text(e.span_us)));
}
void ScheduleLines::on(const When& when, const event::ClockDrifts& e) {
  if (e.ppm == 0) return;
  add(when, e.node, e.node, "",
      fmt::format("its clocks run {} ppm {}", e.ppm < 0 ? -e.ppm : e.ppm, e.ppm < 0 ? "slow" : "fast"));
}
void ScheduleLines::on(const When& when, const event::Partitioned& e) {
  const std::string text = e.cut ? "the link is cut" : "the link is healed";
  if (e.from == e.to) {
    add(when, 0, 0, "", "all links are healed").note = true;
    return;
  }
  // Both directions are one line.
  if (!lines_.empty() && lines_.back().text == text && lines_.back().from == e.to && lines_.back().to == e.from) {
    lines_.back().text += ", both ways";
    return;
  }
  add(when, e.from, e.to, "", text).lost = e.cut;
}
void ScheduleLines::on(const When& when, const event::SettleBegan&) {
  add(when, 0, 0, "", std::string(settle_text)).note = true;
}
void ScheduleLines::on(const When& when, const event::SettleEnded&) {
  add(when, 0, 0, "", "").kind = ScheduleLine::Kind::settled;
}
void ScheduleLines::on(const When& when, const event::ExpectationChecked& e) {
  add(when, 0, 0, "", fmt::format("{} {}", e.holds ? "=>" : "NOT SO:", one_line(e.text))).note = true;
}
void ScheduleLines::on(const When& when, const event::OperationStopped& e) {
  add(when, e.node, e.node, "", fmt::format("stands still before {}", e.point));
}
void ScheduleLines::on(const When& when, const event::OperationResumed& e) {
  add(when, e.node, e.node, "", fmt::format("goes on with {}", e.point));
}

}  // namespace cohsim
