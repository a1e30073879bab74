#include "reports/schedule_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "reports/escape.h"
#include "reports/schedule_story.h"
#include "reports/schedule_words.h"
#include "reports/state_text.h"

namespace cohsim {
namespace {

constexpr std::size_t time_width = 9;
constexpr std::size_t text_width_min = 16;
constexpr std::size_t nodes_roomy = 4;   // with more, columns are narrow
constexpr std::size_t nodes_narrow = 6;  // and with more than that, narrower
constexpr std::size_t id_bytes = 14;

/// Real ids and their short names.
class ShortNames {
 public:
  void add(const std::string& id, const std::string& name) { names_.emplace(id, name); }
  [[nodiscard]] std::string of(const std::string& id) const {
    const auto found = names_.find(id);
    return found != names_.end() ? found->second : id;
  }
  [[nodiscard]] std::string in(std::string_view text) const {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
      const auto found = names_.find(std::string(text.substr(i, id_bytes)));
      out += found != names_.end() ? found->second : std::string(1, text[i]);
      i += found != names_.end() ? id_bytes : 1;
    }
    return out;
  }

 private:
  std::map<std::string, std::string> names_;
};

std::string_view order_of(std::string_view version) { return version.substr(std::min<std::size_t>(3, version.size())); }

/// The columns as they stand, line by line.
class Columns {
  // Who does or holds something; the source of truth only where a line has it.
  static std::set<Actor> acting_in(const ScheduleStory& story) {
    std::set<Actor> acting;
    for (const ScheduleLine& line : story.lines) {
      if (!line.note) acting.insert({line.from, line.to});
      for (const CellChange& cell : line.cells) {
        if (cell.column != column_truth && !cell.version.empty()) acting.insert(cell.column);
      }
      acting.insert(line.stopped.begin(), line.stopped.end());
      acting.insert(line.started.begin(), line.started.end());
    }
    return acting;
  }

 public:
  Columns(const Scenario& scenario, const ScheduleStory& story)
      : name_(story.names.empty() ? "" : story.names.front()) {
    const std::set<Actor> acting = acting_in(story);
    std::vector<Actor> nodes;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
      if (acting.count(static_cast<Actor>(actor_first_node + i)) != 0)
        nodes.push_back(static_cast<Actor>(actor_first_node + i));
    }
    width_min_ = nodes.size() > nodes_narrow ? 4 : nodes.size() > nodes_roomy ? 5 : 6;
    if (acting.count(column_truth) != 0) add(column_truth, "truth");
    add(actor_server, "valkey");
    for (const Actor node : nodes) add(node, scenario.nodes[node - actor_first_node]);
  }

  [[nodiscard]] std::string head() const {
    std::string line;
    for (const Column& column : columns_) line += fmt::format("{:<{}}", column.name, column.width);
    return line;
  }
  [[nodiscard]] std::size_t width() const { return head().size(); }

  void change(const ScheduleLine& line) {
    for (const CellChange& cell : line.cells) {
      Column* column = find(cell.column);
      if (column != nullptr && (cell.id.empty() || cell.id == name_)) column->version = cell.version;
    }
    for (const Actor actor : line.stopped) find(actor)->down = true;  // every such node has a column
    for (const Actor actor : line.started) find(actor)->down = false;
  }

  [[nodiscard]] std::string plain(const ShortNames& names) const {
    std::string line;
    for (const Column& column : columns_) line += fmt::format("{:<{}}", token(column, names), column.width);
    return line;
  }

  /// The columns with what the line does in them: an arrow from one to another, or a star.
  [[nodiscard]] std::string drawn(const ScheduleLine& line, const ShortNames& names) const {
    std::string text = plain(names);
    if (line.note) return text;
    const std::size_t from = place(line.from), to = place(line.to);
    const std::size_t from_end = from + token(at(line.from), names).size(),
                      to_end = to + token(at(line.to), names).size();
    if (from == to) {
      text[from_end] = '*';
    } else if (from < to) {
      dash(text, from_end, to);
      text[to - 1] = line.lost ? 'x' : '>';
    } else {
      dash(text, to_end, from);
      text[to_end] = line.lost ? 'x' : '<';
    }
    return text;
  }

 private:
  struct Column {
    Actor actor;
    std::string name;
    std::size_t width;
    std::string version;
    bool down = false;
  };
  void add(Actor actor, const std::string& name) {
    columns_.push_back({actor, name, std::max(name.size() + 2, width_min_), {}, false});
  }
  [[nodiscard]] Column* find(Actor actor) {
    for (Column& column : columns_) {
      if (column.actor == actor) return &column;
    }
    return nullptr;
  }
  [[nodiscard]] const Column& at(Actor actor) const {
    for (const Column& column : columns_) {
      if (column.actor == actor) return column;
    }
    return columns_.front();
  }
  [[nodiscard]] std::size_t place(Actor actor) const {
    std::size_t offset = 0;
    for (const Column& column : columns_) {
      if (column.actor == actor) return offset;
      offset += column.width;
    }
    return 0;
  }
  static void dash(std::string& text, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (text[i] == ' ') text[i] = '-';
    }
  }
  [[nodiscard]] static std::string token(const Column& column, const ShortNames& names) {
    if (column.down) return "x";
    return column.version.empty() ? "|" : names.of(column.version);
  }

  std::string name_;
  std::size_t width_min_ = 0;
  std::vector<Column> columns_;
};

bool mentions(const ScheduleStory& story, const std::string& sentence, const std::string& id) {
  return sentence.find(id) != std::string::npos ||
         std::any_of(story.lines.begin(), story.lines.end(), [&](const ScheduleLine& line) {
           return line.text.find(id) != std::string::npos ||
                  std::any_of(line.cells.begin(), line.cells.end(),
                              [&](const CellChange& cell) { return cell.version == id; });
         });
}

std::string order_text(const std::vector<std::string>& versions, const ShortNames& names, std::size_t width) {
  std::vector<std::string> sorted = versions;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const std::string& a, const std::string& b) { return order_of(a) < order_of(b); });
  if (sorted == versions) return {};
  std::string text;
  for (const std::string& version : sorted) text += (text.empty() ? "" : " < ") + names.of(version);
  return "  order     " +
         wrapped(text + ", byte by byte, as the design compares them", width, "            ").substr(12);
}

// Gives out the short names, and says what they stand for.
std::string legend(const ScheduleStory& story, const ScheduleIds& ids, const std::string& sentence, std::size_t width,
                   ShortNames& names) {
  std::string text;
  for (std::size_t i = 0; i < story.names.size(); ++i) {
    const std::string name = story.names.size() == 1 ? "the name" : fmt::format("name {}", static_cast<char>('A' + i));
    names.add(story.names[i], story.names.size() == 1 ? "the name" : std::string(1, static_cast<char>('A' + i)));
    const bool shown = story.names.size() > 1 && i == 0;
    text += fmt::format("  {:<8}  {}{}\n", name, story.names[i], shown ? "  (the columns show its versions)" : "");
  }
  std::vector<std::string> shown;
  for (const std::string& version : ids.versions) {
    if (!mentions(story, sentence, version)) continue;
    shown.push_back(version);
    names.add(version, fmt::format("v{}", shown.size()));
    const auto value = ids.values.find(version);
    const auto origin = ids.origins.find(version);
    text += fmt::format("  {:<8}  {}", names.of(version), version);
    if (value != ids.values.end()) text += fmt::format("  \"{}\"", one_line(value->second));
    if (origin != ids.origins.end()) {
      const bool fill = origin->second.rfind("minted", 0) == 0 && value != ids.values.end();
      text += fmt::format("{} {}{}", value != ids.values.end() ? "," : " ", origin->second, fill ? " for a fill" : "");
    }
    text += '\n';
  }
  text += order_text(shown, names, width);
  std::size_t jobs = 0;
  for (const std::string& job : ids.jobs) {
    if (!mentions(story, sentence, job)) continue;
    names.add(job, fmt::format("J{}", ++jobs));
    text += fmt::format("  {:<8}  {}\n", names.of(job), job);
  }
  return text;
}

// "(snowflake 264905529753608192)" says nothing where the version has a short name.
std::string without_snowflakes(std::string text) {
  constexpr std::string_view mark = " (snowflake ";
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    const std::size_t end = text.find(')', at);
    if (end == std::string::npos) break;
    text.erase(at, end + 1 - at);
  }
  return text;
}

void write_line(std::string& out, const std::string& time, const std::string& columns, const std::string& after,
                const std::string& text, std::size_t width) {
  const std::size_t left = time_width + columns.size();
  std::istringstream rest(wrapped(text, width > left + text_width_min ? width - left : text_width_min, ""));
  std::string part;
  bool first = true;
  while (std::getline(rest, part)) {
    std::string line = fmt::format("{:<{}}{}{}", first ? time : "", time_width, first ? columns : after, part);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + '\n';
    first = false;
  }
}

}  // namespace

std::string schedule_diagram(const Scenario& scenario, const ScheduleLines& lines, const Violation& violation,
                             std::size_t width) {
  const ScheduleStory story = schedule_story(lines, violation);
  ShortNames names;
  const std::string key = legend(story, lines.ids(), violation.sentence, width, names);
  Columns columns(scenario, story);
  std::string out = fmt::format("{:<{}}{}\n", "seconds", time_width, columns.head());
  while (out[out.size() - 2] == ' ') out.erase(out.size() - 2, 1);
  std::string last_time;
  for (const ScheduleLine& line : story.lines) {
    columns.change(line);
    const std::string time = fmt::format("{}.{:03}", line.at / us_per_s, line.at % us_per_s / us_per_ms);
    const auto place = std::find(story.names.begin(), story.names.end(), line.id);
    std::string text = names.in(line.text);
    if (story.names.size() > 1 && place != story.names.end()) text = names.of(line.id) + ": " + text;
    write_line(out, time == last_time ? "" : time, columns.drawn(line, names), columns.plain(names), text, width);
    last_time = time;
  }
  out += "\n" + wrapped(fmt::format("VIOLATED {}: {}", violation.property,
                                    names.in(without_snowflakes(one_line(violation.sentence)))),
                        width, "");
  return out + "\n" + key;
}

}  // namespace cohsim
