#include "model/units.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cohsim {

namespace {

struct Unit {
  std::string_view name;
  DurationUs us;
  std::size_t decimals;  // that are whole microseconds at most
};
constexpr std::array<Unit, 4> units{{{"us", 1, 0}, {"ms", us_per_ms, 3}, {"s", us_per_s, 6}, {"m", 60 * us_per_s, 6}}};

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t to_number(std::string_view digits) {
  std::int64_t number = 0;
  for (const char c : digits) number = number * 10 + (c - '0');
  return number;
}

/// "12.5" in units of `unit`; the text has digits, and perhaps a point between some.
std::optional<DurationUs> scaled(std::string_view number, const Unit& unit) {
  const std::size_t point = number.find('.');
  const std::string_view whole = number.substr(0, point);
  std::string_view part = point == std::string_view::npos ? "0" : number.substr(point + 1);
  if (!all_digits(whole) || !all_digits(part) || whole.size() > 13) return std::nullopt;
  while (part.size() > 1 && part.back() == '0') part.remove_suffix(1);
  if (part != "0" && part.size() > unit.decimals) return std::nullopt;
  DurationUs scale = unit.us;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (scale % 10 != 0) return to_number(part) == 0 ? std::optional(to_number(whole) * unit.us) : std::nullopt;
    scale /= 10;
  }
  return to_number(whole) * unit.us + to_number(part) * scale;
}

bool is_leap(std::int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/// Days since 1970-01-01, or nullopt for a day that is none.
std::optional<std::int64_t> days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  constexpr std::array<int, 12> lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 2024 || year > 2090 || month < 1 || month > 12 || day < 1) return std::nullopt;
  const auto length = [&](std::int64_t m) {
    return lengths[static_cast<std::size_t>(m - 1)] + (m == 2 && is_leap(year));
  };
  if (day > length(month)) return std::nullopt;
  std::int64_t days = 0;
  for (std::int64_t y = 1970; y < year; ++y) days += is_leap(y) ? 366 : 365;
  for (std::int64_t m = 1; m < month; ++m) days += length(m);
  return days + day - 1;
}

bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() != shape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (shape[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != shape[i]) return false;
  }
  return true;
}

/// Insertions, deletions, replacements and swaps of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<DurationUs> parse_duration(std::string_view text, bool signed_too, std::string& problem) {
  std::string_view rest = text;
  const bool has_sign = !rest.empty() && (rest.front() == '-' || rest.front() == '+');
  const bool negative = has_sign && rest.front() == '-';
  if (has_sign) rest.remove_prefix(1);
  const std::size_t size = std::min(rest.find_first_not_of("0123456789."), rest.size());
  const std::string_view number = rest.substr(0, size);
  const std::string_view name = rest.substr(size);
  if (number.empty() || number.front() == '.' || number.back() == '.') {
    problem = "a duration is a number with a unit, as in \"250us\", \"5ms\", \"1.5s\" or \"2m\"";
    return std::nullopt;
  }
  const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == name; });
  if (unit == units.end()) {
    problem = name.empty() ? "a duration needs a unit: us, ms, s or m"
                           : "a duration's unit is us, ms, s or m, without a blank";
    return std::nullopt;
  }
  if (negative && !signed_too) {
    problem = "a duration here cannot be negative";
    return std::nullopt;
  }
  const auto value = scaled(number, *unit);
  if (!value) {
    problem = "a duration is a whole number of microseconds";
    return std::nullopt;
  }
  if (*value > longest_duration_us) {
    problem = "a duration is at most 43200m (30 days)";
    return std::nullopt;
  }
  return negative ? -*value : *value;
}

std::string duration_text(DurationUs duration) {
  if (duration < 0) return std::string("-").append(duration_text(-duration));
  if (duration == 0) return "0s";
  if (duration < us_per_ms) return std::to_string(duration) + "us";
  const bool seconds = duration >= us_per_s;
  const DurationUs unit = seconds ? us_per_s : us_per_ms;
  std::string part = std::to_string(duration % unit + unit).substr(1);
  while (!part.empty() && part.back() == '0') part.pop_back();
  return std::to_string(duration / unit) + (part.empty() ? "" : "." + part) + (seconds ? "s" : "ms");
}

std::optional<Ppm> parse_probability(double share) {
  if (!(share >= 0 && share <= 1)) return std::nullopt;
  const double ppm = std::round(share * 1e6);
  // Exact for every decimal of six places; a finer one is refused rather than rounded.
  if (std::fabs(share * 1e6 - ppm) > 1e-6) return std::nullopt;
  return static_cast<Ppm>(ppm);
}

std::string probability_text(Ppm ppm) {
  std::string part = std::to_string(ppm % ppm_one + ppm_one).substr(1);
  while (!part.empty() && part.back() == '0') part.pop_back();
  return std::to_string(ppm / ppm_one) + (part.empty() ? "" : "." + part);
}

std::optional<std::int32_t> parse_drift(double share) {
  if (!(share >= -0.5 && share <= 0.5)) return std::nullopt;
  const auto ppm = parse_probability(std::fabs(share));
  if (!ppm) return std::nullopt;
  return share < 0 ? -static_cast<std::int32_t>(*ppm) : static_cast<std::int32_t>(*ppm);
}

std::string drift_text(std::int32_t ppm) {
  return (ppm < 0 ? "-" : "") + probability_text(static_cast<Ppm>(ppm < 0 ? -ppm : ppm));
}

std::optional<std::int64_t> parse_date(std::string_view text) {
  const bool with_time = has_shape(text, "0000-00-00T00:00:00Z");
  if (!with_time && !has_shape(text, "0000-00-00")) return std::nullopt;
  const auto days = days_of(to_number(text.substr(0, 4)), to_number(text.substr(5, 2)), to_number(text.substr(8, 2)));
  if (!days) return std::nullopt;
  std::int64_t seconds = *days * 86'400;
  if (with_time) {
    const std::int64_t hour = to_number(text.substr(11, 2));
    const std::int64_t minute = to_number(text.substr(14, 2));
    const std::int64_t second = to_number(text.substr(17, 2));
    if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
    seconds += hour * 3'600 + minute * 60 + second;
  }
  return seconds * 1'000;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  if (name.size() > 60) return best;
  std::size_t least = std::max<std::size_t>(1, std::min<std::size_t>(3, name.size() / 3)) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 60) continue;
    if (const std::size_t away = distance(name, candidate); away < least && away < name.size()) {
      least = away;
      best = candidate;
    }
  }
  return best;
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string hint(std::string_view name, const std::vector<std::string>& candidates) {
  if (const std::string meant = nearest(name, candidates); !meant.empty()) return "; did you mean '" + meant + "'?";
  if (candidates.empty()) return "";
  if (candidates.size() > 12) return "";
  return "; there " + std::string(candidates.size() == 1 ? "is" : "are") + ": " + alternatives(candidates);
}

}  // namespace cohsim
