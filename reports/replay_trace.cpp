#include "reports/replay_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/escape.h"
#include "reports/state_text.h"
#include "reports/trace_jsonl.h"
#include "reports/trace_text.h"

namespace cohsim {
namespace {

using Json = nlohmann::ordered_json;

void write_json(std::ostream& out, const Json& line) {
  out << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

ReplayTrace::ReplayTrace(std::ostream& out, const Scenario& scenario, TraceFormat format)
    : out_(out), scenario_(scenario), format_(format) {
  const ActorNames names = [&scenario](Actor actor) { return actor_name_in(scenario, actor); };
  if (format == TraceFormat::text) events_ = std::make_unique<TextTrace>(out, names);
  else events_ = std::make_unique<JsonlTrace>(out, names);
}

void ReplayTrace::only_between(std::uint64_t first_step, std::uint64_t last_step) {
  first_step_ = first_step;
  last_step_ = last_step;
}

void ReplayTrace::begin(std::uint64_t seed) {
  const Design& design = scenario_.design;
  if (format_ == TraceFormat::jsonl) {
    write_json(out_, Json{{"scenario", scenario_.name}, {"seed", seed}, {"script", design.script},
                          {"collate", design.collate}, {"start", design.start}});
    return;
  }
  out_ << fmt::format("scenario {}, seed {}, script {}, collate {}, start {}\n", scenario_.name, seed, design.script,
                      design.collate, design.start);
}

void ReplayTrace::write_violations_before(std::uint64_t step) {
  for (; written_ < violations_.size() && violations_[written_].step < step; ++written_) {
    const Violation& violation = violations_[written_];
    if (format_ == TraceFormat::jsonl) {
      write_json(out_, Json{{"violated", violation.property}, {"step", violation.step}, {"at_us", violation.at},
                            {"sentence", one_line(violation.sentence)}});
    } else {
      out_ << fmt::format("{:>7} {:>12} VIOLATED {}: {}\n", violation.step, show_time(violation.at), violation.property,
                          one_line(violation.sentence));
    }
  }
}

void ReplayTrace::event(const When& when, std::string_view name, std::span<const Field> fields) {
  write_violations_before(when.step);
  if (when.step >= first_step_ && when.step <= last_step_) events_->event(when, name, fields);
}

void ReplayTrace::end(const RunResult& result, const std::string& state) {
  write_violations_before(UINT64_MAX);
  const std::string hash = fmt::format("{:016x}", result.hash);
  if (format_ == TraceFormat::jsonl) {
    if (!state.empty()) write_json(out_, Json{{"state", state}});
    write_json(out_, Json{{"steps", result.steps}, {"virtual_us", result.virtual_us}, {"trace_hash", hash}});
    return;
  }
  out_ << state;
  out_ << fmt::format("{} steps, {} s of virtual time, {} violated\n", result.steps, show_time(result.virtual_us),
                      result.violations.empty() ? "nothing" : fmt::format("{} properties", result.violations.size()));
  out_ << fmt::format("trace hash {}\n", hash);
}

}  // namespace cohsim
