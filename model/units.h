// Text of scenario files to numbers, exactly: durations, probabilities, dates. And back, for listings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/choices.h"
#include "sim/time.h"

namespace cohsim {

inline constexpr DurationUs longest_duration_us = 30 * 24 * 3'600 * us_per_s;

/// "250us" "5ms" "1.5s" "2m", with a sign where `signed_too`, to whole microseconds, without rounding. On failure
/// answers nullopt and says in `problem` what would be right.
[[nodiscard]] std::optional<DurationUs> parse_duration(std::string_view text, bool signed_too, std::string& problem);
/// The shortest text that parse_duration reads as the same: "1.5s".
[[nodiscard]] std::string duration_text(DurationUs duration);

/// 0..1 to parts per million; nullopt when out of range or finer than one part per million.
[[nodiscard]] std::optional<Ppm> parse_probability(double share);
[[nodiscard]] std::string probability_text(Ppm ppm);

/// -0.5..0.5 to parts per million; nullopt when out of range or finer than one part per million.
[[nodiscard]] std::optional<std::int32_t> parse_drift(double share);
[[nodiscard]] std::string drift_text(std::int32_t ppm);

/// "YYYY-MM-DD" or "YYYY-MM-DDTHH:MM:SSZ", 2024..2090, to Unix milliseconds.
[[nodiscard]] std::optional<std::int64_t> parse_date(std::string_view text);

/// The candidate closest to `name`, where it is close enough to be meant; empty otherwise.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& candidates);
/// "; did you mean 'x'?" or, with few candidates, "; there are: a, b"; empty without candidates.
[[nodiscard]] std::string hint(std::string_view name, const std::vector<std::string>& candidates);
/// "a, b or c"
[[nodiscard]] std::string alternatives(const std::vector<std::string>& names);

}  // namespace cohsim
