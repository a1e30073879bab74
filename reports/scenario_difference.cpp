#include "reports/scenario_difference.h"

#include <algorithm>
#include <cstddef>
#include <regex>
#include <set>
#include <sstream>

#include "properties/scenario_text.h"

namespace cohsim {
namespace {

// Words joined by one blank, without the comment at the end. No scenario has "--" in a string.
std::string code_of(const std::string& line) {
  std::istringstream words(line.substr(0, line.find("--")));
  std::string word, code;
  while (words >> word) code += (code.empty() ? "" : " ") + word;
  return code;
}

// Where the brackets that open at `from` are closed again; the end of the line where they are not.
std::size_t closed(const std::string& code, std::size_t from) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = from; i < code.size(); ++i) {
    if (code[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (code[i] == '(' || code[i] == '{') ++depth;
    if ((code[i] == ')' || code[i] == '}') && --depth == 0) return i + 1;
  }
  return code.size();
}

// What a line lets happen: its calls of steps, of the parts of a write, and of functions that get the steps. Readers and
// expectations let nothing happen; what they expect is the outcome, and not what makes it so.
std::string actions_of(const std::string& code) {
  static const std::regex call(
      R"(\bs\.([a-z_0-9]+) ?[({]|[a-z_]+\.(mint|commit|table_put|announce)\(|[a-z_]+\(s[,)]|pcall\()");
  static const std::set<std::string> readers{"applied", "counters", "expect", "intents", "jobs",  "key", "l1",
                                             "l2",      "name",     "now",    "state",   "truth", "up"};
  std::string actions;
  if (code.find("function") != std::string::npos) return actions;
  std::size_t at = 0;
  for (std::smatch found; std::regex_search(code.begin() + static_cast<std::ptrdiff_t>(at), code.end(), found, call);) {
    const std::size_t begin = at + static_cast<std::size_t>(found.position());
    const std::size_t bracket = code.find_first_of("({", begin);
    at = bracket + 1;
    if (readers.count(found[1].str()) != 0) continue;
    at = closed(code, bracket);
    actions += (actions.empty() ? "" : " ") + code.substr(begin, at - begin);
  }
  return actions;
}

std::vector<std::string> steps_of(const Scenario& scenario) {
  std::vector<std::string> lines;
  if (!scenario.has_steps) return lines;
  std::istringstream in(*scenario.text);
  std::string line;
  while (std::getline(in, line)) {
    if (const std::string actions = actions_of(code_of(line)); !actions.empty()) lines.push_back(actions);
  }
  return lines;
}

std::vector<std::string> settings_of(Scenario scenario) {
  static const std::vector<const char*> descriptions{"name", "about", "source", "expect", "check", "quarantine"};
  scenario.has_steps = false;
  scenario.invariants.clear();
  std::istringstream in(to_lua(scenario));
  std::string line;
  std::vector<std::string> lines;
  while (std::getline(in, line)) {
    const std::string code = code_of(line);
    const std::string key = code.substr(0, code.find(" = "));
    const bool described =
        std::any_of(descriptions.begin(), descriptions.end(), [&](const char* one) { return key == one; });
    // A setting that follows from another one does not stand in the file.
    const bool told = key != code && std::regex_search(*scenario.text, std::regex(key + " *="));
    if (told && !described) lines.push_back(code);
  }
  return lines;
}

void add_difference(const std::vector<std::string>& a, const std::vector<std::string>& b,
                    std::vector<std::string>& lines) {
  // The longest common subsequence, from the end.
  std::vector<std::vector<std::size_t>> common(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      lines.push_back("- " + a[i++]);
    } else {
      lines.push_back("+ " + b[j++]);
    }
  }
}

}  // namespace

std::vector<std::string> scenario_difference(const Scenario& before, const Scenario& after) {
  std::vector<std::string> lines;
  add_difference(settings_of(before), settings_of(after), lines);
  add_difference(steps_of(before), steps_of(after), lines);
  return lines;
}

}  // namespace cohsim
