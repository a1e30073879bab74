// Internal to model/scenario_*.cpp: how one key of a scenario file is read, checked, listed. A key is declared once, as
// a Spec, and the loader, its error messages and `list --settings` all follow from it.
#pragma once

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lua/value.h"
#include "model/scenario_loader.h"
#include "model/source_lines.h"
#include "model/units.h"

namespace cohsim::scenario_file {

/// Reading one scenario: where problems go, and which keys were there.
struct Reading {
  const std::string& file;
  const KeyLines& lines;
  const KnownNames& known;
  std::vector<LoadProblem>& problems;
  std::set<std::string, std::less<>> given = {};

  void problem(const std::string& key, std::string message) {
    problems.push_back({file, lines.of(key), key, std::move(message)});
  }
  void wrong_type(const std::string& key, std::string_view wanted, const lua::Value& value) {
    problem(key, "wants " + std::string(wanted) + ", not " + value.text());
  }
  [[nodiscard]] bool has(std::string_view key) const { return given.contains(key); }
  /// Whether something is wrong at the key or below it, so that what follows from it need not be said.
  [[nodiscard]] bool failed(std::string_view key) const {
    for (const LoadProblem& one : problems) {
      if (one.key.compare(0, key.size(), key) == 0) return true;
    }
    return false;
  }
};

template <class T>
struct Spec {
  std::string name;
  std::string type;
  std::string meaning;
  std::function<void(Reading&, const std::string& key, const lua::Value&, T&)> read;
  std::function<std::string(const T& defaults)> show = {};
  bool built = true;
  /// Of a section: lists its keys instead of itself.
  std::function<void(const std::string& key, const T& defaults, std::vector<SettingInfo>&)> list = {};
};

template <class T>
using Specs = std::vector<Spec<T>>;

// Values. Each answers whether it could be read, and has noted the problem otherwise. ---------------------------------
bool read_text(Reading&, const std::string& key, const lua::Value&, std::string& into);
bool read_identifier(Reading&, const std::string& key, const lua::Value&, std::string& into);
bool read_texts(Reading&, const std::string& key, const lua::Value&, std::vector<std::string>& into);
bool read_probability(Reading&, const std::string& key, const lua::Value&, Ppm& into);
bool read_duration(Reading&, const std::string& key, const lua::Value&, bool signed_too, DurationUs& into);
bool read_range(Reading&, const std::string& key, const lua::Value&, bool signed_too, DurationRange& into);
bool read_count(Reading&, const std::string& key, const lua::Value&, std::uint32_t low, std::uint32_t high,
                std::uint32_t& into);
/// One of `names`; answers its index, or -1.
int read_choice(Reading&, const std::string& key, const lua::Value&, const std::vector<std::string>& names);
bool is_kind(std::string_view text);

[[nodiscard]] std::string quoted_alternatives(const std::vector<std::string>& names);

/// Names of keys for "did you mean".
template <class T>
std::vector<std::string> names_of(const Specs<T>& specs) {
  std::vector<std::string> names;
  for (const Spec<T>& spec : specs) names.push_back(spec.name);
  return names;
}

/// Reads every entry of a table by its spec; every other entry is a problem.
template <class T>
void read_section(Reading& reading, const std::string& path, const lua::Value& value, const Specs<T>& specs, T& into) {
  const lua::Table* table = value.table();
  if (table == nullptr) return reading.wrong_type(path, "a table { … }", value);
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const auto& [name, item] : table->entries) {
    const std::string* text = name.string();
    if (text == nullptr) {
      const bool numbered = name.number() != nullptr;
      const std::string key = numbered ? path + "[" + lua::number_as_text(*name.number()) + "]" : path;
      reading.problem(key, "a value without a key; every value here is written `key = value`");
      continue;
    }
    const std::string shown = lua::quoted(*text, 80);
    const std::string key = prefix + shown.substr(1, shown.size() - 2);
    bool found = false;
    for (const Spec<T>& spec : specs) {
      if (spec.name != *text) continue;
      found = true;
      reading.given.insert(key);
      spec.read(reading, key, item, into);
    }
    if (!found) reading.problem(key, "unknown key" + hint(*text, names_of(specs)));
  }
}

template <class T>
void list_section(const std::string& prefix, const Specs<T>& specs, const T& defaults, std::vector<SettingInfo>& out) {
  for (const Spec<T>& spec : specs) {
    const std::string key = prefix.empty() ? spec.name : prefix + "." + spec.name;
    if (spec.list) {
      spec.list(key, defaults, out);
    } else {
      out.push_back({key, spec.type, spec.show ? spec.show(defaults) : "", spec.meaning, spec.built});
    }
  }
}

// Specs of the usual kinds of members.
// ---------------------------------------------------------------------------------
template <class T>
Spec<T> probability(std::string name, Ppm T::*member, std::string meaning) {
  return {std::move(name), "probability", std::move(meaning),
          [member](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            read_probability(r, key, v, into.*member);
          },
          [member](const T& defaults) { return probability_text(defaults.*member); }};
}

template <class T>
Spec<T> duration(std::string name, DurationUs T::*member, DurationUs low, std::string meaning) {
  return {std::move(name), "duration", std::move(meaning),
          [member, low](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            if (!read_duration(r, key, v, false, into.*member) || into.*member >= low) return;
            r.problem(key, "must be at least \"" + duration_text(low) + "\"");
          },
          [member](const T& defaults) { return "\"" + duration_text(defaults.*member) + "\""; }};
}

std::string range_text(const DurationRange& range);

template <class T>
Spec<T> range(std::string name, DurationRange T::*member, bool signed_too, std::string meaning) {
  return {std::move(name), "range of durations", std::move(meaning),
          [member, signed_too](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            read_range(r, key, v, signed_too, into.*member);
          },
          [member](const T& defaults) { return range_text(defaults.*member); }};
}

template <class T>
Spec<T> range(std::string name, std::optional<DurationRange> T::*member, bool signed_too, std::string meaning) {
  return {std::move(name), "range of durations", std::move(meaning),
          [member, signed_too](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            DurationRange read;
            if (read_range(r, key, v, signed_too, read)) into.*member = read;
          }};
}

template <class T>
Spec<T> count(std::string name, std::uint32_t T::*member, std::uint32_t low, std::uint32_t high, std::string meaning) {
  return {std::move(name), "whole number", std::move(meaning),
          [member, low, high](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            read_count(r, key, v, low, high, into.*member);
          },
          [member](const T& defaults) { return std::to_string(defaults.*member); }};
}

template <class T>
Spec<T> flag(std::string name, bool T::*member, std::string meaning) {
  return {std::move(name), "true or false", std::move(meaning),
          [member](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            const auto read = v.boolean();
            if (!read) return r.wrong_type(key, "true or false", v);
            into.*member = *read;
          },
          [member](const T& defaults) { return std::string(defaults.*member ? "true" : "false"); }};
}

template <class T>
Spec<T> text(std::string name, std::string T::*member, std::string meaning) {
  return {std::move(name), "string", std::move(meaning),
          [member](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            read_text(r, key, v, into.*member);
          },
          [member](const T& defaults) {
            return (defaults.*member).empty() ? std::string() : "\"" + defaults.*member + "\"";
          }};
}

template <class T, class E>
Spec<T> choice(std::string name, E T::*member, std::vector<std::pair<std::string, E>> values, std::string meaning) {
  std::vector<std::string> names;
  for (const auto& [value_name, value] : values) names.push_back(value_name);
  return {std::move(name), quoted_alternatives(names), std::move(meaning),
          [member, values, names](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            const int index = read_choice(r, key, v, names);
            if (index >= 0) into.*member = values[static_cast<std::size_t>(index)].second;
          },
          [member, values](const T& defaults) {
            for (const auto& [value_name, value] : values) {
              if (value == defaults.*member) return "\"" + value_name + "\"";
            }
            return std::string();
          }};
}

template <class T, class S>
Spec<T> section(std::string name, S T::*member, Specs<S> specs, std::string meaning) {
  auto list = [member, specs](const std::string& key, const T& defaults, std::vector<SettingInfo>& out) {
    list_section(key, specs, defaults.*member, out);
  };
  return {std::move(name),
          "table",
          std::move(meaning),
          [member, specs](Reading& r, const std::string& key, const lua::Value& v, T& into) {
            read_section(r, key, v, specs, into.*member);
          },
          {},
          true,
          list};
}

/// A key that the format names and this version does not simulate: only today's value, the first, is taken.
template <class T>
Spec<T> not_yet(std::string name, std::vector<std::string> values, std::string meaning) {
  Spec<T> spec{std::move(name), quoted_alternatives(values), std::move(meaning), {}, {}, false};
  spec.read = [values](Reading& r, const std::string& key, const lua::Value& v, T&) {
    if (read_choice(r, key, v, values) <= 0) return;
    r.problem(key, "\"" + *v.string() + "\" is not built yet; only \"" + values.front() + "\", the default, is");
  };
  spec.show = [values](const T&) { return "\"" + values.front() + "\""; };
  return spec;
}

/// The keys of `scenario { … }`. `steps` and `invariants` are judged by type only.
[[nodiscard]] const Specs<Scenario>& scenario_specs();
/// The keys of `faults`, and what no single one of them shows.
[[nodiscard]] Specs<Faults> fault_specs();
void judge_faults(Reading& reading, const Scenario& scenario);
/// What no single key shows: contradictions, an empty scenario, a verdict in the wrong folder.
void judge_whole(Reading& reading, const Scenario& scenario);

}  // namespace cohsim::scenario_file
