#include "fidelity/case_file.h"

#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace cohsim::fidelity {

namespace {

constexpr std::size_t line_max = 64 * 1024;
constexpr std::int64_t repeat_max = 10'000;

struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads one line from left to right.
class Reader {
 public:
  explicit Reader(std::string_view line) : rest_(line) {}

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::int64_t number(std::int64_t greatest) {
    std::int64_t value = 0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (read.ec != std::errc() || value < 0 || value > greatest) throw Malformed("a number is missing or out of range");
    rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return value;
  }
  std::string string() {
    skip_blanks();
    if (!take("\"")) throw Malformed("a string in double quotes is missing");
    std::string text;
    while (true) {
      const char letter = next();
      if (letter == '"') return text;
      text += letter == '\\' ? escaped() : letter;
    }
  }
  std::vector<std::string> strings() {
    skip_blanks();
    if (!take("[")) throw Malformed("'[' is missing");
    std::vector<std::string> all;
    do {
      all.push_back(string());
      skip_blanks();
    } while (take(","));
    if (!take("]")) throw Malformed("']' is missing");
    return all;
  }
  std::optional<std::string> frame() {
    skip_blanks();
    if (take("(none)")) return std::nullopt;
    return string();
  }
  void end() {
    skip_blanks();
    if (!rest_.empty()) throw Malformed("more than a line of this kind has");
  }

 private:
  char next() {
    if (rest_.empty()) throw Malformed("a string does not end");
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    return letter;
  }
  char escaped() {
    const char letter = next();
    if (letter == 'n') return '\n';
    if (letter == 'r') return '\r';
    if (letter == 't') return '\t';
    if (letter == 'b') return '\b';
    if (letter == 'f') return '\f';
    if (letter != 'u') return letter;
    unsigned value = 0;
    if (rest_.size() < 4) throw Malformed("\\u needs four hexadecimal digits");
    const auto read = std::from_chars(rest_.data(), rest_.data() + 4, value, 16);
    if (read.ptr != rest_.data() + 4 || value > 0xff) throw Malformed("\\u needs four hexadecimal digits, at most 00ff");
    rest_.remove_prefix(4);
    return static_cast<char>(value);
  }

  std::string_view rest_;
};

std::string counted(std::string text, std::int64_t number) {
  const std::size_t place = text.find("%d");
  return place == std::string::npos ? text : text.replace(place, 2, std::to_string(number));
}

void read_step(Reader& reader, std::size_t line, Case& into) {
  Step step;
  step.line = line;
  step.connection = static_cast<int>(reader.number(9));
  const bool sends = reader.take(">");
  if (!sends && !reader.take("<")) throw Malformed("'>' or '<' is missing");
  reader.take(sends ? ">" : "?");
  const std::int64_t times = reader.take("*") ? reader.number(repeat_max) : -1;
  step.kind = sends ? Step::Kind::send : Step::Kind::expect;
  if (sends) {
    step.args = reader.strings();
  } else {
    step.frame = reader.frame();
  }
  reader.end();
  if (times < 0) {
    into.steps.push_back(std::move(step));
    return;
  }
  for (std::int64_t number = 0; number < times; ++number) {
    Step one = step;
    for (std::string& arg : one.args) arg = counted(arg, number);
    if (one.frame) one.frame = counted(*one.frame, number);
    into.steps.push_back(std::move(one));
  }
}

void read_line(std::string_view text, std::size_t number, std::vector<Case>& cases) {
  if (text.size() > line_max) throw Malformed("longer than 64 KiB");
  Reader reader(text);
  if (reader.take("## case ")) {
    const std::string_view head = text.substr(8);
    const std::size_t colon = std::min(head.find(':'), head.size());
    Case fresh;
    fresh.name = head.substr(0, colon);
    fresh.about = head.substr(std::min(colon + 2, head.size()));
    cases.push_back(std::move(fresh));
    return;
  }
  if (reader.take("# locale: ") && !cases.empty()) {
    cases.back().locale = text.substr(10);
    return;
  }
  if (text.empty() || text.front() == '#') return;
  if (cases.empty()) throw Malformed("stands before the first '## case'");
  reader.skip_blanks();
  if (reader.take("vk8<")) {
    std::vector<Step>& steps = cases.back().steps;
    if (steps.empty() || steps.back().kind != Step::Kind::expect) throw Malformed("'vk8<' follows no 'c1<'");
    steps.back().differs = true;
    steps.back().valkey_frame = reader.frame();
    return reader.end();
  }
  if (reader.take("@sleep ")) {
    Step step;
    step.kind = Step::Kind::sleep;
    step.line = number;
    step.sleep_ms = reader.number(3'600'000);
    cases.back().steps.push_back(std::move(step));
    return reader.end();
  }
  if (!reader.take("c")) throw Malformed("neither a case, nor 'c1>', 'c1<', 'vk8<', '@sleep' or a comment");
  read_step(reader, number, cases.back());
}

}  // namespace

CaseFile parse_cases(std::string_view text) {
  CaseFile file;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    try {
      read_line(text.substr(0, end), number, file.cases);
    } catch (const Malformed& error) {
      file.problem = fmt::format("line {}: {}", number, error.what());
      return file;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return file;
}

std::map<std::string, std::string> parse_open_cases(std::string_view text) {
  std::map<std::string, std::string> open;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string personality, name, reason;
    words >> personality >> name;
    std::getline(words >> std::ws, reason);
    if (reason.empty() || !open.emplace(personality + ' ' + name, reason).second) {
      throw std::runtime_error("open_cases.txt: not 'personality case reason', or twice: " + line);
    }
  }
  return open;
}

std::string quoted(std::string_view bytes) {
  std::string text = "\"";
  for (const char letter : bytes) {
    const auto value = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      text += '\\';
      text += letter;
    } else if (letter == '\r') {
      text += "\\r";
    } else if (letter == '\n') {
      text += "\\n";
    } else if (value < 0x20 || value > 0x7e) {
      text += fmt::format("\\u{:04x}", value);
    } else {
      text += letter;
    }
  }
  return text + '"';
}

std::string command_line(int connection, const std::vector<std::string>& args) {
  std::string line = fmt::format("c{}> [", connection);
  for (const std::string& arg : args) line += (&arg == args.data() ? "" : ", ") + quoted(arg);
  return line + ']';
}

std::string frame_line(int connection, const std::optional<std::string>& frame) {
  return fmt::format("c{}< {}", connection, frame ? quoted(*frame) : "(none)");
}

bool matches(const std::optional<std::string>& expected, const std::optional<std::string>& got) {
  constexpr std::string_view mask = "@ID@";
  if (!expected || !got) return expected == got;
  std::string_view want = *expected;
  std::string_view have = *got;
  for (std::size_t place = want.find(mask); place != std::string_view::npos; place = want.find(mask)) {
    if (have.substr(0, place) != want.substr(0, place)) return false;
    have.remove_prefix(place);
    want.remove_prefix(place + mask.size());
    const std::size_t digits = std::min(have.find_first_not_of("0123456789"), have.size());
    if (digits == 0) return false;
    have.remove_prefix(digits);
  }
  return want == have;
}

}  // namespace cohsim::fidelity
