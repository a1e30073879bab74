// The report for tools: everything the gate found, as JSON.
#pragma once

#include <string>

#include "properties/gate_result.h"

namespace cohsim {

/// Grows when a field changes its meaning or goes; a new field does not change it.
inline constexpr int json_report_version = 1;

/// Keys in a fixed order, two spaces of indent, one line break at the end. 64-bit hashes are strings of 16 hex digits.
/// A shard's report lists its distinct hashes, so that shards can be joined.
[[nodiscard]] std::string json_report(const GateResult& result);

}  // namespace cohsim
