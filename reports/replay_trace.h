// The output of one replay: what runs, its events with the violations at their steps, the state, the trace hash last.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "model/scenario.h"
#include "properties/run.h"
#include "sim/trace.h"

namespace cohsim {

enum class TraceFormat : std::uint8_t { text, jsonl };

class ReplayTrace final : public TraceSink {
 public:
  /// `out` and `scenario` must outlive it.
  ReplayTrace(std::ostream& out, const Scenario& scenario, TraceFormat format);

  /// Violations to print behind the last event of their step; in step order.
  void expect(std::vector<Violation> violations) { violations_ = std::move(violations); }
  /// Leaves out events of other steps.
  void only_between(std::uint64_t first_step, std::uint64_t last_step);

  void begin(std::uint64_t seed);
  void event(const When& when, std::string_view name, std::span<const Field> fields) override;
  /// `state`: as state_text writes it, or empty.
  void end(const RunResult& result, const std::string& state);

 private:
  void write_violations_before(std::uint64_t step);

  std::ostream& out_;
  const Scenario& scenario_;
  TraceFormat format_;
  std::unique_ptr<TraceSink> events_;
  std::vector<Violation> violations_;
  std::size_t written_ = 0;
  std::uint64_t first_step_ = 0;
  std::uint64_t last_step_ = UINT64_MAX;
};

}  // namespace cohsim
