#include "model/scenario_chunk.h"

#include <algorithm>
#include <map>
#include <memory>

namespace cohsim {

namespace {

// The key by which a file's return value names one of its scenarios. A file cannot write it by accident.
constexpr std::string_view marker = "\x01scenario";

struct Closing {
  std::shared_ptr<bool> open;
  ~Closing() { *open = false; }
};

/// The lines of the constructor in which the call stood; several in one line are taken in order.
KeyLines lines_of(const std::vector<KeyLines>& all, int line, std::map<int, std::size_t>& taken) {
  std::vector<const KeyLines*> there;
  for (const KeyLines& lines : all) {
    if (lines.line == line) there.push_back(&lines);
  }
  if (there.empty()) return {line, {}};
  const std::size_t nth = taken[line]++;
  return *there[std::min(nth, there.size() - 1)];
}

class Evaluation {
 public:
  Evaluation(lua::Host& host, const std::string& path, std::string_view text)
      : host_(host), path_(path), text_(text), lines_(scan_key_lines(text)) {}

  ScenarioChunk run() {
    // Steps may keep the function and call it when this is long gone.
    const auto open = std::make_shared<bool>(true);
    host_.set_global("scenario", host_.function("scenario", [this, open](std::span<const lua::Value> arguments) {
      if (!*open) throw lua::CallbackError("is for the file itself, not for its functions");
      return made(arguments);
    }));
    const Closing closing{open};
    lua::Value returned;
    try {
      returned = host_.load(text_, path_.substr(path_.find_last_of('/') + 1));
    } catch (const lua::FileError& error) {
      throw LoadFailure({path_, error.line, "", error.what()});
    }
    take(returned);
    for (std::size_t i = 0; i < chunk_.found.size(); ++i) {
      const auto times = std::count(chunk_.returned.begin(), chunk_.returned.end(), i);
      if (times == 0) problem(i, "this scenario is made and not returned");
      if (times > 1) problem(i, "this scenario is returned twice");
    }
    return std::move(chunk_);
  }

 private:
  lua::Value made(std::span<const lua::Value> arguments) {
    if (arguments.size() != 1 || arguments[0].table() == nullptr) {
      throw lua::CallbackError("wants one table, as in scenario { nodes = … }");
    }
    constexpr std::size_t scenarios_max = 1'000;
    if (chunk_.found.size() >= scenarios_max) throw lua::CallbackError("more than 1000 scenarios in one file");
    chunk_.found.push_back({arguments[0], lines_of(lines_, host_.caller_line(), taken_)});
    return lua::Table{{marker, chunk_.found.size()}};
  }

  void problem(std::size_t index, std::string message) {
    chunk_.problems.push_back({path_, chunk_.found[index].lines.line, "", std::move(message)});
  }

  /// True when the value is a scenario.
  bool take_one(const lua::Value& value) {
    const lua::Value* number = value.table() == nullptr ? nullptr : value.table()->find(marker);
    if (number == nullptr || number->number() == nullptr) return false;
    const double index = *number->number();
    if (!(index >= 1 && index <= static_cast<double>(chunk_.found.size()))) return false;
    const auto at = static_cast<std::size_t>(index) - 1;
    if (value.table()->entries.size() != 1) problem(at, "set keys inside scenario { … }, not afterwards");
    chunk_.returned.push_back(at);
    return true;
  }

  void take(const lua::Value& value) {
    if (take_one(value)) return;
    const lua::Table* list = value.table();
    if (list == nullptr || !list->is_list() || list->entries.empty()) {
      const std::string what = value.is_nil() ? "nothing" : value.text();
      throw LoadFailure({path_, 0, "", "returns " + what + "; a scenario file ends with `return scenario { … }`"});
    }
    for (const auto& [index, item] : list->entries) {
      if (take_one(item)) continue;
      throw LoadFailure(
          {path_, 0, "",
           "item " + index.text() + " of the returned list is " + item.text() + "; each is a scenario { … }"});
    }
  }

  lua::Host& host_;
  const std::string& path_;
  std::string_view text_;
  std::vector<KeyLines> lines_;
  std::map<int, std::size_t> taken_;
  ScenarioChunk chunk_;
};

}  // namespace

ScenarioChunk evaluate_scenarios(lua::Host& host, const std::string& path, std::string_view text) {
  return Evaluation(host, path, text).run();
}

}  // namespace cohsim
