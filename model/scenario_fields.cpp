#include "model/scenario_fields.h"

#include <algorithm>
#include <cmath>

#include "model/identity.h"

namespace cohsim::scenario_file {

namespace {

constexpr std::size_t list_max = 1'000;

std::string quote(std::string_view text) { return lua::quoted(text); }

}  // namespace

std::string quoted_alternatives(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("\"" + name + "\"");
  return alternatives(quoted);
}

bool is_kind(std::string_view text) { return is_namespace(text); }

bool read_text(Reading& reading, const std::string& key, const lua::Value& value, std::string& into) {
  const std::string* text = value.string();
  if (text == nullptr) {
    reading.wrong_type(key, "a string", value);
    return false;
  }
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t length = lua::utf8_length(rest);
    if (length == 0 || rest.front() == '\0') {
      reading.problem(key, "wants UTF-8 text, not " + quote(*text));
      return false;
    }
    // It is printed as it stands.
    if (rest.front() != '\n' && lua::begins_with_control(rest)) {
      reading.problem(key, "wants text without control characters, not " + quote(*text));
      return false;
    }
    rest.remove_prefix(length);
  }
  if (text->empty()) {
    reading.problem(key, "must not be empty");
    return false;
  }
  into = *text;
  return true;
}

bool read_identifier(Reading& reading, const std::string& key, const lua::Value& value, std::string& into) {
  const std::string* text = value.string();
  if (text == nullptr) {
    reading.wrong_type(key, "a name", value);
    return false;
  }
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  if (text->empty() || text->size() > 40 || !std::all_of(text->begin(), text->end(), allowed)) {
    reading.problem(key, "a name is 1 to 40 letters, digits, '_' or '-', not " + quote(*text));
    return false;
  }
  into = *text;
  return true;
}

bool read_texts(Reading& reading, const std::string& key, const lua::Value& value, std::vector<std::string>& into) {
  const lua::Table* table = value.table();
  if (table == nullptr || !table->is_list()) {
    reading.wrong_type(key, "a list of strings, as in { \"a\", \"b\" }", value);
    return false;
  }
  if (table->entries.size() > list_max) {
    reading.problem(key,
                    "at most " + std::to_string(list_max) + " entries, not " + std::to_string(table->entries.size()));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < table->entries.size(); ++i) {
    const std::string place = key + "[" + std::to_string(i + 1) + "]";
    std::string name;
    if (!read_identifier(reading, place, table->entries[i].second, name)) {
      good = false;
    } else if (std::find(into.begin(), into.end(), name) != into.end()) {
      reading.problem(place, "'" + name + "' stands there twice");
      good = false;
    } else {
      into.push_back(std::move(name));
    }
  }
  return good;
}

bool read_probability(Reading& reading, const std::string& key, const lua::Value& value, Ppm& into) {
  const double* share = value.number();
  if (share == nullptr) {
    reading.wrong_type(key, "a probability from 0 to 1", value);
    return false;
  }
  const auto ppm = parse_probability(*share);
  if (!ppm) {
    const bool inside = *share >= 0 && *share <= 1;
    reading.problem(key, inside ? "a probability has six decimals at most, not " + value.text()
                                : "a probability is from 0 to 1, not " + value.text());
    return false;
  }
  into = *ppm;
  return true;
}

bool read_duration(Reading& reading, const std::string& key, const lua::Value& value, bool signed_too,
                   DurationUs& into) {
  const std::string* text = value.string();
  if (text == nullptr) {
    reading.wrong_type(key, "a duration, as in \"5ms\" or \"1.5s\"", value);
    return false;
  }
  std::string problem;
  const auto duration = parse_duration(*text, signed_too, problem);
  if (!duration) {
    reading.problem(key, quote(*text) + ": " + problem);
    return false;
  }
  into = *duration;
  return true;
}

bool read_range(Reading& reading, const std::string& key, const lua::Value& value, bool signed_too,
                DurationRange& into) {
  const lua::Table* table = value.table();
  if (table == nullptr || !table->is_list() || table->entries.size() != 2) {
    reading.problem(key, "wants a range { from, to }, as in { \"1ms\", \"2s\" }");
    return false;
  }
  DurationRange range;
  const bool low = read_duration(reading, key + "[1]", table->entries[0].second, signed_too, range.low_us);
  const bool high = read_duration(reading, key + "[2]", table->entries[1].second, signed_too, range.high_us);
  if (!low || !high) return false;
  if (range.low_us > range.high_us) {
    reading.problem(key, "a range goes from the smaller to the larger");
    return false;
  }
  into = range;
  return true;
}

bool read_count(Reading& reading, const std::string& key, const lua::Value& value, std::uint32_t low,
                std::uint32_t high, std::uint32_t& into) {
  const double* number = value.number();
  const std::string wanted = "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  if (number == nullptr || !(*number >= low && *number <= high) || std::floor(*number) != *number) {
    reading.wrong_type(key, wanted, value);
    return false;
  }
  into = static_cast<std::uint32_t>(*number);
  return true;
}

int read_choice(Reading& reading, const std::string& key, const lua::Value& value,
                const std::vector<std::string>& names) {
  const std::string* text = value.string();
  const std::string wanted = names.size() == 1 ? quoted_alternatives(names) : "one of " + quoted_alternatives(names);
  if (text == nullptr) {
    reading.wrong_type(key, wanted, value);
    return -1;
  }
  const auto at = std::find(names.begin(), names.end(), *text);
  if (at == names.end()) {
    const std::string meant = nearest(*text, names);
    reading.wrong_type(key, wanted, value);
    if (!meant.empty()) reading.problems.back().message += "; did you mean \"" + meant + "\"?";
    return -1;
  }
  return static_cast<int>(at - names.begin());
}

std::string range_text(const DurationRange& range) {
  return "{ \"" + duration_text(range.low_us) + "\", \"" + duration_text(range.high_us) + "\" }";
}

}  // namespace cohsim::scenario_file
