// Internal to model/: what steps and readers answer, as Lua values.
#pragma once

#include "lua/value.h"
#include "model/scenario.h"
#include "model/steps_api.h"
#include "model/world_view.h"

namespace cohsim::step_values {

/// {id, ended, stopped_before, outcome, value, version}; what is not known is nil.
[[nodiscard]] lua::Table operation(const OperationState& state);
/// nil, number, string, list (with false for nil items), or {err = text}.
[[nodiscard]] lua::Value reply(const valkey::Reply& reply);
[[nodiscard]] lua::Value l1(const WorldView& view, Actor node, const NameRef& name);
[[nodiscard]] lua::Value l2(const WorldView& view, const NameRef& name);
[[nodiscard]] lua::Value truth(const WorldView& view, const NameRef& name);
/// The version that the node remembers; nil for none.
[[nodiscard]] lua::Value applied(const WorldView& view, Actor node, const NameRef& name);
[[nodiscard]] lua::Value intents(const WorldView& view, Actor node, std::uint16_t table);
[[nodiscard]] lua::Value jobs(const WorldView& view);
/// Of one table, or the sum over all.
[[nodiscard]] lua::Value counters(const WorldView& view, Actor node, std::optional<std::uint16_t> table);

}  // namespace cohsim::step_values
