// A trace for tools: one JSON object a line.
#pragma once

#include <ostream>

#include "reports/trace_text.h"

namespace cohsim {

/// {"step":1,"at_us":250,"actor":"a","event":"minted","fields":{…}}. Bytes that are no UTF-8 become {"hex":"…"}; an absent
/// field is null; actors are named.
class JsonlTrace final : public TraceSink {
 public:
  /// `out` must outlive the sink.
  JsonlTrace(std::ostream& out, ActorNames names) : out_(out), names_(std::move(names)) {}
  void event(const When& when, std::string_view name, std::span<const Field> fields) override;

 private:
  std::ostream& out_;
  ActorNames names_;
};

}  // namespace cohsim
