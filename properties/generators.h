// What the generated properties draw from: snowflakes where order is at stake, ids, messages, frames, garbage.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "model/identity.h"
#include "model/scenario.h"

namespace cohsim::generate {

/// Of three A-Z; a few come again and again.
[[nodiscard]] rc::Gen<std::string> name_space();
/// All of 63 bits, and often at an edge: minimum, maximum, where the sequence, the millisecond or the eleventh digit roll
/// over, or where one digit's letter changes its case.
[[nodiscard]] rc::Gen<Snowflake> snowflake();
/// Near `other`: the same, beside it, or apart in one Base62 digit (the other case of its letter included).
[[nodiscard]] rc::Gen<Snowflake> near(Snowflake other);
[[nodiscard]] rc::Gen<std::string> branded();
/// Between `low` and `high` bytes, any bytes.
[[nodiscard]] rc::Gen<std::string> bytes(std::size_t low, std::size_t high);
/// 14 bytes that look like an id: three capitals and eleven digits, not always below 2^63.
[[nodiscard]] rc::Gen<std::string> nearly_branded();
/// `text` with one byte replaced by another one.
[[nodiscard]] rc::Gen<std::string> one_byte_off(const std::string& text);

/// A whole scenario with a workload and any faults, such as a loader accepts. Shrinks by whole classes first: faults off,
/// fewer nodes and tables, then a shorter workload and settings at their defaults.
[[nodiscard]] rc::Gen<Scenario> scenario();

}  // namespace cohsim::generate
