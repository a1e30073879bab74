// A trace for people: one aligned line an event.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "sim/trace.h"

namespace cohsim {

/// "world", "server", or a node's name.
using ActorNames = std::function<std::string(Actor)>;

class TextTrace final : public TraceSink {
 public:
  /// `out` must outlive the sink.
  TextTrace(std::ostream& out, ActorNames names) : out_(out), names_(std::move(names)) {}
  void event(const When& when, std::string_view name, std::span<const Field> fields) override;

 private:
  std::ostream& out_;
  ActorNames names_;
};

/// Whether a field of this key holds an actor.
[[nodiscard]] bool is_actor_key(std::string_view key);

}  // namespace cohsim
