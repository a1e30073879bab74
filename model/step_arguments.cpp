#include "model/step_arguments.h"

#include <algorithm>
#include <cmath>

#include "model/identity.h"
#include "model/message.h"
#include "model/points.h"
#include "model/units.h"

namespace cohsim {

namespace {

const lua::Value nothing;

std::vector<std::string> point_names() {
  std::vector<std::string> names;
  for (const PointInfo& info : all_points()) names.emplace_back(info.name);
  return names;
}

std::string in_quotes(const std::string& text) {
  std::string quoted = lua::quoted(text);
  quoted.front() = quoted.back() = '\'';
  return quoted;
}

}  // namespace

void StepArguments::fail(const std::string& text) const { throw ArgumentError(std::string(step_) + ": " + text); }

const lua::Value& StepArguments::peek() const { return more() ? values_[at_] : nothing; }

const lua::Value& StepArguments::next() {
  const lua::Value& value = peek();
  ++at_;
  return value;
}

lua::Value StepArguments::any() { return next(); }

void StepArguments::at_most(std::size_t count) const {
  for (std::size_t i = count; i < values_.size(); ++i) {
    if (!values_[i].is_nil())
      fail("argument " + std::to_string(i + 1) + ", " + values_[i].text() + ", is one too many");
  }
}

Actor StepArguments::node_of(const lua::Value& value) const {
  const std::string* text = value.string();
  if (text == nullptr) fail("wants a node's name, not " + value.text());
  const auto at = std::find(scenario_.nodes.begin(), scenario_.nodes.end(), *text);
  if (at == scenario_.nodes.end())
    fail(in_quotes(*text) + " is no node of this scenario" + hint(*text, scenario_.nodes));
  return static_cast<Actor>(actor_first_node + (at - scenario_.nodes.begin()));
}

Actor StepArguments::node() { return node_of(next()); }

Actor StepArguments::node_or_server() {
  const lua::Value& value = next();
  if (value.string() != nullptr && *value.string() == "valkey") return actor_server;
  return node_of(value);
}

std::uint16_t StepArguments::table_of(const lua::Value& value) const {
  const std::string* text = value.string();
  if (text == nullptr) fail("wants a table's name, not " + value.text());
  std::vector<std::string> names;
  for (const TableSettings& table : scenario_.tables) names.push_back(table.name);
  const auto at = std::find(names.begin(), names.end(), *text);
  if (at == names.end()) fail(in_quotes(*text) + " is no table of this scenario" + hint(*text, names));
  return static_cast<std::uint16_t>(at - names.begin());
}

std::uint16_t StepArguments::table() { return table_of(next()); }

std::optional<std::uint16_t> StepArguments::optional_table() {
  if (peek().string() == nullptr) return std::nullopt;
  return table();
}

std::uint16_t StepArguments::job_table() {
  if (const auto named = optional_table()) return *named;
  std::optional<std::uint16_t> only;
  for (std::size_t i = 0; i < scenario_.tables.size(); ++i) {
    if (scenario_.tables[i].lane != Lane::job) continue;
    if (only) fail("wants a table's name, since several are on the job lane");
    only = static_cast<std::uint16_t>(i);
  }
  if (!only) fail("there is no table whose lane is \"job\"");
  return *only;
}

NameRef StepArguments::name_of(const lua::Value& value) const {
  const lua::Table* table = value.table();
  const lua::Value* owner = table == nullptr ? nullptr : table->find("table");
  const lua::Value* id = table == nullptr ? nullptr : table->find("id");
  if (owner == nullptr || id == nullptr || id->string() == nullptr) {
    fail("wants a name, as s.name(\"users\", 1) gives it, not " + value.text());
  }
  return {table_of(*owner), *id->string()};
}

NameRef StepArguments::name() { return name_of(next()); }

std::string StepArguments::bytes_of(const lua::Value& value, std::string_view what) const {
  if (value.string() == nullptr) fail("wants " + std::string(what) + ", a string, not " + value.text());
  return *value.string();
}

std::string StepArguments::text(std::string_view what) { return bytes_of(next(), what); }

std::optional<std::string> StepArguments::optional_text(std::string_view what) {
  if (peek().is_nil()) {
    ++at_;
    return std::nullopt;
  }
  return text(what);
}

std::string StepArguments::kind() {
  if (peek().is_nil()) {
    ++at_;
    if (!scenario_.design.version_kinds.empty()) return scenario_.design.version_kinds.front();
    if (scenario_.tables.size() != 1) fail("wants a kind, three letters A-Z, since there is not just one table");
    return scenario_.tables.front().kind;
  }
  const lua::Value& value = next();
  if (value.string() == nullptr || !is_namespace(*value.string())) {
    fail("wants a kind, three letters A-Z, not " + value.text());
  }
  return *value.string();
}

std::uint32_t StepArguments::positive(std::string_view what) {
  const lua::Value& value = next();
  const double* number = value.number();
  if (number == nullptr || !(*number >= 1 && *number <= 1e6) || std::floor(*number) != *number) {
    fail("wants " + std::string(what) + ", a whole number from 1, not " + value.text());
  }
  return static_cast<std::uint32_t>(*number);
}

DurationUs StepArguments::duration(bool signed_too) {
  const lua::Value& value = next();
  if (value.string() == nullptr) fail("wants a duration, as in \"10s\", not " + value.text());
  std::string problem;
  const auto duration = parse_duration(*value.string(), signed_too, problem);
  if (!duration) fail(lua::quoted(*value.string()) + ": " + problem);
  return *duration;
}

std::uint64_t StepArguments::operation() {
  const lua::Value& value = next();
  const lua::Value* id = value.table() == nullptr ? nullptr : value.table()->find("id");
  const double* number = id == nullptr ? nullptr : id->number();
  if (number == nullptr || !(*number >= 0 && *number <= 9e15)) {
    fail("wants an operation, as s.fetch and its like give it, not " + value.text());
  }
  return static_cast<std::uint64_t>(*number);
}

Point StepArguments::point_of(const lua::Value& value) const {
  if (value.string() == nullptr) fail("wants a stopping point, a string, not " + value.text());
  const auto point = find_point(*value.string());
  if (!point) {
    const std::string meant = nearest(*value.string(), point_names());
    fail(in_quotes(*value.string()) + " is no stopping point; " +
         (meant.empty() ? "`cohsim list --points` names them" : "did you mean '" + meant + "'?"));
  }
  return *point;
}

std::int32_t StepArguments::drift() {
  const lua::Value& value = next();
  const auto ppm = value.number() == nullptr ? std::nullopt : parse_drift(*value.number());
  if (!ppm) fail("wants a share from -0.5 to 0.5 of six decimals at most, not " + value.text());
  return *ppm;
}

Point StepArguments::point() { return point_of(next()); }

const lua::Table* StepArguments::options(const std::vector<std::string>& keys) {
  const lua::Value& value = next();
  if (value.is_nil()) return nullptr;
  if (value.table() == nullptr) fail("wants options in a table { " + keys.front() + " = … }, not " + value.text());
  for (const auto& [key, item] : value.table()->entries) {
    const std::string* name = key.string();
    if (name == nullptr) fail("an option without a name; there are: " + alternatives(keys));
    if (std::find(keys.begin(), keys.end(), *name) == keys.end()) {
      fail(in_quotes(*name) + " is no option here" + hint(*name, keys));
    }
  }
  return value.table();
}

StepsApi::Stop StepArguments::stop() {
  const lua::Table* table = options({"stop_before"});
  const lua::Value* point = table == nullptr ? nullptr : table->find("stop_before");
  return point == nullptr ? std::nullopt : StepsApi::Stop(point_of(*point));
}

MessageFilter StepArguments::filter() {
  MessageFilter filter;
  const lua::Table* table = options({"from", "to", "table", "name", "kind", "version"});
  if (table == nullptr) return filter;
  if (const lua::Value* from = table->find("from")) filter.from = node_of(*from);
  if (const lua::Value* to = table->find("to")) filter.to = node_of(*to);
  if (const lua::Value* name = table->find("name")) {
    const NameRef ref = name_of(*name);
    filter.table = ref.table;
    filter.id = ref.id;
  }
  if (const lua::Value* owner = table->find("table")) {
    const std::uint16_t index = table_of(*owner);
    if (filter.table && *filter.table != index) fail("the name is one of another table");
    filter.table = index;
  }
  if (const lua::Value* kind = table->find("kind")) {
    filter.kind = bytes_of(*kind, "a kind of message");
    if (*filter.kind != "broadcast" && *filter.kind != "job") {
      fail("a kind of message is \"broadcast\" or \"job\", not " + kind->text());
    }
  }
  if (const lua::Value* version = table->find("version")) filter.version = bytes_of(*version, "a version");
  return filter;
}

HandMessage StepArguments::message() {
  HandMessage made;
  const lua::Table* table = options({"from", "to", "table", "name", "version", "bytes"});
  if (table == nullptr) fail("wants { name = …, version = … } or { table = …, bytes = … }");
  if (const lua::Value* from = table->find("from")) made.from = node_of(*from);
  if (const lua::Value* to = table->find("to")) made.to = node_of(*to);
  const lua::Value* owner = table->find("table");
  const lua::Value* name = table->find("name");
  const lua::Value* version = table->find("version");
  const lua::Value* bytes = table->find("bytes");
  if ((bytes != nullptr) == (name != nullptr || version != nullptr))
    fail("wants either bytes, or a name and a version");
  if (bytes != nullptr) {
    if (owner == nullptr) fail("bytes need a table = …");
    made.bytes = bytes_of(*bytes, "bytes");
  } else {
    if (name == nullptr || version == nullptr) fail("wants both a name and a version");
    const NameRef ref = name_of(*name);
    made.table = ref.table;
    made.bytes = ref.id + ":" + bytes_of(*version, "a version");
    if (made.bytes.size() != message_size) fail("a version has 14 bytes; for other messages give bytes = …");
  }
  if (owner != nullptr) made.table = table_of(*owner);
  return made;
}

bool StepArguments::option(std::string_view key) {
  const lua::Table* table = options({std::string(key)});
  const lua::Value* value = table == nullptr ? nullptr : table->find(key);
  if (value == nullptr) return false;
  if (!value->boolean()) fail(std::string(key) + " wants true or false, not " + value->text());
  return *value->boolean();
}

std::uint32_t StepArguments::number_option(std::string_view key, std::uint32_t most) {
  const lua::Table* table = options({std::string(key)});
  const lua::Value* value = table == nullptr ? nullptr : table->find(key);
  const double* number = value == nullptr ? nullptr : value->number();
  if (number == nullptr || !(*number >= 0 && *number <= most) || std::floor(*number) != *number) {
    fail("wants { " + std::string(key) + " = … }, a whole number from 0 to " + std::to_string(most) +
         (value == nullptr ? "" : ", not " + value->text()));
  }
  return static_cast<std::uint32_t>(*number);
}

std::vector<std::string> StepArguments::command() {
  std::vector<std::string> words;
  for (; more(); ++at_) {
    if (const double* number = peek().number()) {
      words.push_back(lua::number_as_text(*number));
    } else {
      words.push_back(bytes_of(peek(), "words of a command"));
    }
  }
  if (words.empty()) fail("wants a command, as in s.valkey(\"SET\", key, bytes)");
  return words;
}

void StepArguments::skip_self() {
  if (peek().table() != nullptr && peek().table()->find("id") != nullptr) ++at_;
}

}  // namespace cohsim
