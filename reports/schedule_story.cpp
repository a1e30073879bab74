#include "reports/schedule_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "reports/schedule_words.h"

namespace cohsim {
namespace {

using Kind = ScheduleLine::Kind;
constexpr std::size_t longest_repeat = 24;  // lines of a block that is folded
constexpr std::size_t lines_wanted = 30;    // with more, what changes nothing is left out
constexpr std::size_t lines_max = 64;       // with more, the middle is left out
constexpr std::size_t lines_at_begin = 12;
constexpr std::size_t names_in_full = 2;  // with more, only the violated ones are told

// Another job of a violated job's own name: the same message to another node.
bool other_job(const ScheduleLine& line, const ScheduleIds& ids, const std::string& sentence) {
  bool violated = false, other = false;
  for (const auto& [job, name] : ids.job_names) {
    const bool in_sentence = sentence.find(job) != std::string::npos;
    violated = violated || (in_sentence && name == line.id);
    other = other || (!in_sentence && name == line.id && line.text.find(job) != std::string::npos &&
                      line.text.rfind("journal", 0) != 0);
  }
  return violated && other;
}

bool drawn(const ScheduleLine& line) { return line.kind == Kind::event || line.kind == Kind::mint; }

// A violation of the end has step 0: it belongs behind the settle that ended then.
std::size_t end_of(const std::vector<ScheduleLine>& lines, const Violation& violation) {
  std::size_t end = lines.size();
  if (violation.step != 0) {
    while (end != 0 && lines[end - 1].step > violation.step) --end;
    // A settle that begins in the same step comes behind what was violated.
    std::size_t settle = end;
    while (settle != 0 && lines[settle - 1].step == violation.step) --settle;
    while (settle < end && lines[settle].text != settle_text) ++settle;
    end = settle;
  } else {
    while (end != 0 && (lines[end - 1].kind != Kind::settled || lines[end - 1].at != violation.at)) --end;
    if (end == 0) end = lines.size();
  }
  return end;
}

std::vector<std::string> names_of(const std::vector<ScheduleLine>& lines, const ScheduleIds& ids,
                                  const std::string& sentence) {
  std::vector<std::string> all, violated;
  for (const ScheduleLine& line : lines) {
    if (!line.id.empty() && drawn(line) && std::find(all.begin(), all.end(), line.id) == all.end())
      all.push_back(line.id);
  }
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(violated.begin(), violated.end(), name) == violated.end()) violated.push_back(name);
  };
  for (const std::string& name : all) {
    if (sentence.find(name) != std::string::npos) add(name);
  }
  for (const auto& [job, name] : ids.job_names) {
    if (sentence.find(job) != std::string::npos) add(name);
  }
  if (all.size() > names_in_full && !violated.empty()) return violated;
  for (const std::string& name : all) add(name);
  return violated;
}

// A version that nothing else mentions, or that the next line commits, is not worth a line.
void drop_mints(std::vector<ScheduleLine>& lines, const std::string& sentence) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind != Kind::mint) continue;
    const std::string minted = lines[i].text.substr(lines[i].text.rfind(' ') + 1);
    std::size_t next = i + 1;
    while (next < lines.size() && lines[next].kind != Kind::event) ++next;
    const bool at_once = next < lines.size() && lines[next].text.rfind("commits " + minted, 0) == 0;
    const bool later =
        std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(next), lines.end(), [&](const ScheduleLine& line) {
          return line.kind == Kind::event && line.text.find(minted) != std::string::npos;
        });
    const bool matters = later || sentence.find(minted) != std::string::npos;
    lines[i].kind = at_once || !matters ? Kind::quiet : Kind::event;
    // A flight's mint stands with its beginning.
    if (lines[i].kind == Kind::event && i > 0 && lines[i - 1].from == lines[i].from &&
        lines[i - 1].text.rfind(flight_text, 0) == 0) {
      lines[i - 1].text += ", minting " + minted;
      lines[i].kind = Kind::quiet;
    }
  }
}

// Stands for the lines of a range: what they did to the columns, and `text`.
template <class Iterator>
ScheduleLine instead_of(Iterator from, Iterator until, std::string text) {
  ScheduleLine line;
  line.step = from->step;
  line.at = from->at;
  line.note = true;
  line.text = std::move(text);
  for (; from != until; ++from) {
    line.cells.insert(line.cells.end(), from->cells.begin(), from->cells.end());
    for (const Actor node : from->stopped) {
      line.stopped.insert(node);
      line.started.erase(node);
    }
    for (const Actor node : from->started) {
      line.started.insert(node);
      line.stopped.erase(node);
    }
  }
  return line;
}

// Three times or more the same block, but for ids and numbers: its first and its last stay.
void fold_repeats(std::vector<ScheduleLine>& lines) {
  std::vector<std::string> shapes;
  for (const ScheduleLine& line : lines) shapes.push_back(shape_of(line));
  for (std::size_t length = 1; length <= longest_repeat; ++length) {
    for (std::size_t i = 0; i + 3 * length <= lines.size(); ++i) {
      std::size_t same = 0;
      while (i + length + same < lines.size() && shapes[i + same] == shapes[i + length + same]) ++same;
      const std::size_t times = same / length + 1;
      if (times < 3) continue;
      const auto from = lines.begin() + static_cast<std::ptrdiff_t>(i + length);
      const auto until = lines.begin() + static_cast<std::ptrdiff_t>(i + (times - 1) * length);
      const std::string again = times == 3 ? "once more" : fmt::format("{} times more", times - 2);
      const std::string more = length == 1 ? "... " + again : fmt::format("... these {} lines {}", length, again);
      const ScheduleLine folded = instead_of(from, until, more);
      const auto place = lines.erase(from, until);
      lines.insert(place, folded);
      shapes.erase(shapes.begin() + static_cast<std::ptrdiff_t>(i + length),
                   shapes.begin() + static_cast<std::ptrdiff_t>(i + (times - 1) * length));
      shapes.insert(shapes.begin() + static_cast<std::ptrdiff_t>(i + length), fmt::format("folded at {}", i));
    }
  }
}

// What a random run did long before the violation.
void cut_middle(std::vector<ScheduleLine>& lines) {
  if (lines.size() <= lines_max) return;
  const auto from = lines.begin() + static_cast<std::ptrdiff_t>(lines_at_begin);
  const auto until = lines.end() - static_cast<std::ptrdiff_t>(lines_max - lines_at_begin - 1);
  const ScheduleLine cut = instead_of(from, until, fmt::format("... {} lines left out", until - from));
  lines.insert(lines.erase(from, until), cut);
}

// Lines that change nothing, and follow from those before.
bool minor(const ScheduleLine& line) {
  if (line.note || !line.started.empty() || !line.stopped.empty()) return false;
  const std::string& text = line.text;
  const auto starts = [&](std::string_view with) { return text.rfind(with, 0) == 0; };
  const auto ends = [&](std::string_view with) {
    return text.size() >= with.size() && text.compare(text.size() - with.size(), with.size(), with) == 0;
  };
  return starts("the journal remembers") || starts("stale: ") || starts("stands still before job.handle") ||
         starts("goes on with job.handle") || (starts("complete ") && ends(": ok")) ||
         (starts("drop ") && (ends(", kept") || ends(": no row")));
}

// The cells of a line that is left out go with the next.
template <class Which>
void leave_out(std::vector<ScheduleLine>& lines, Which which) {
  for (std::size_t i = 0; i + 1 < lines.size();) {
    if (!which(lines[i], lines[i + 1])) {
      ++i;
      continue;
    }
    lines[i + 1].cells.insert(lines[i + 1].cells.begin(), lines[i].cells.begin(), lines[i].cells.end());
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

std::string shape_of(const ScheduleLine& line) {
  // Two nodes that do the same in turn make one pattern.
  const auto role = [](Actor actor) { return std::min(actor, actor_first_node); };
  std::string shape = fmt::format("{} {} {} {} ", role(line.from), role(line.to), line.lost, line.note);
  std::size_t i = 0;
  while (i < line.text.size()) {
    std::size_t end = i;
    bool digit = false;
    while (end < line.text.size() && std::isalnum(static_cast<unsigned char>(line.text[end])) != 0) {
      digit = digit || std::isdigit(static_cast<unsigned char>(line.text[end])) != 0;
      ++end;
    }
    if (end == i)
      shape += line.text[i++];
    else
      shape += digit ? std::string("#") : line.text.substr(i, end - i);
    i = std::max(i, end);
  }
  return shape;
}

ScheduleStory schedule_story(const ScheduleLines& all, const Violation& violation) {
  ScheduleStory story;
  story.lines = all.lines();
  story.lines.resize(end_of(story.lines, violation));
  drop_mints(story.lines, violation.sentence);
  // What was violated is told in any case, though it changes nothing.
  for (ScheduleLine& line : story.lines) {
    if (violation.step != 0 && line.step == violation.step && !line.text.empty()) line.kind = Kind::event;
  }
  story.names = names_of(story.lines, all.ids(), violation.sentence);
  std::vector<ScheduleLine> kept, waiting;
  std::set<std::string> others;
  for (ScheduleLine& line : story.lines) {
    if (drawn(line) && other_job(line, all.ids(), violation.sentence)) line.kind = Kind::quiet;
    const bool told =
        line.id.empty() || std::find(story.names.begin(), story.names.end(), line.id) != story.names.end();
    if (!told) {
      if (drawn(line)) others.insert(line.id);
      continue;
    }
    if (drawn(line) && !others.empty()) {
      ScheduleLine between;
      between.step = line.step;
      between.at = line.at;
      between.note = true;
      between.text = fmt::format("... meanwhile {}", counted(others.size(), "other name"));
      kept.push_back(between);
      others.clear();
    }
    if (line.kind == Kind::quiet || line.kind == Kind::settled) {
      // Its cells go with the next line that is drawn.
      waiting.push_back(line);
      continue;
    }
    for (const ScheduleLine& quiet : waiting)
      line.cells.insert(line.cells.begin(), quiet.cells.begin(), quiet.cells.end());
    waiting.clear();
    kept.push_back(line);
  }
  story.lines = std::move(kept);
  // A settle that nothing follows but another note says nothing.
  leave_out(story.lines,
            [](const ScheduleLine& line, const ScheduleLine& next) { return line.text == settle_text && next.note; });
  fold_repeats(story.lines);
  if (story.lines.size() > lines_wanted) {
    leave_out(story.lines, [](const ScheduleLine& line, const ScheduleLine&) { return minor(line); });
    fold_repeats(story.lines);
  }
  cut_middle(story.lines);
  return story;
}

}  // namespace cohsim
