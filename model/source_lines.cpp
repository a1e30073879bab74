#include "model/source_lines.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>

namespace cohsim {

namespace {

enum class Kind : std::uint8_t { name, text, sign, end };

// Deeper tables have no lines: their paths alone would take memory that grows with the square of the depth.
constexpr std::size_t depth_max = 40;

struct Token {
  Kind kind = Kind::end;
  std::string text;
  int line = 0;
};

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  Token next() {
    skip_blanks();
    Token token{Kind::end, {}, line_};
    if (rest_.empty()) return token;
    const char c = rest_.front();
    if (is_name_char(c)) {
      std::size_t size = 0;
      // A number swallows its point and its exponent's sign is left: neither matters here.
      while (size < rest_.size() && (is_name_char(rest_[size]) || (rest_[size] == '.' && is_digit(c)))) ++size;
      token = {is_digit(c) ? Kind::sign : Kind::name, std::string(rest_.substr(0, size)), line_};
      take(size);
    } else if (c == '"' || c == '\'') {
      token = {Kind::text, short_string(c), token.line};
    } else if (const auto level = long_bracket()) {
      token = {Kind::text, long_string(*level), token.line};
    } else {
      token = {Kind::sign, std::string(1, c), line_};
      if (rest_.substr(0, 2) == "==" || rest_.substr(0, 2) == "~=") token.text = rest_.substr(0, 2);
      take(token.text.size());
    }
    return token;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  void take(std::size_t count) {
    count = std::min(count, rest_.size());
    for (std::size_t i = 0; i < count; ++i) line_ += rest_[i] == '\n' ? 1 : 0;
    rest_.remove_prefix(count);
  }

  void skip_blanks() {
    while (!rest_.empty()) {
      if (std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
        take(1);
      } else if (rest_.substr(0, 2) == "--") {
        take(2);
        if (const auto level = long_bracket()) {
          long_string(*level);
        } else {
          take(std::min(rest_.find('\n'), rest_.size()));
        }
      } else {
        return;
      }
    }
  }

  /// How many '=' stand in the long bracket that opens here.
  [[nodiscard]] std::optional<std::size_t> long_bracket() const {
    if (rest_.empty() || rest_.front() != '[') return std::nullopt;
    std::size_t level = 0;
    while (level + 1 < rest_.size() && rest_[level + 1] == '=') ++level;
    if (level + 1 >= rest_.size() || rest_[level + 1] != '[') return std::nullopt;
    return level;
  }

  std::string long_string(std::size_t level) {
    std::string close(level + 2, '=');
    close.front() = close.back() = ']';
    take(level + 2);
    const std::size_t size = std::min(rest_.find(close), rest_.size());
    std::string text(rest_.substr(0, size));
    take(size + close.size());
    return text;
  }

  std::string short_string(char quote) {
    std::string text;
    take(1);
    while (!rest_.empty() && rest_.front() != quote && rest_.front() != '\n') {
      if (rest_.front() == '\\') take(1);
      if (!rest_.empty()) text += rest_.front();
      take(1);
    }
    if (!rest_.empty() && rest_.front() == quote) take(1);
    return text;
  }

  std::string_view rest_;
  int line_ = 1;
};

/// What encloses the next token. Only entries of tables that belong to a scenario have a path.
struct Frame {
  enum class Kind : std::uint8_t { table, bracket, block } kind;
  int scenario = -1;
  std::string path;
  std::string key;       // of the entry being read
  int items = 0;         // entries without a key so far
  bool at_start = true;  // of an entry
};

class Scanner {
 public:
  explicit Scanner(std::string_view text) : lexer_(text) {}

  std::vector<KeyLines> scan() {
    while (true) {
      Token token = take();
      if (token.kind == Kind::end) return std::move(found_);
      read(token);
      before_last_ = std::move(last_);
      last_ = std::move(token);
    }
  }

 private:
  Token take() {
    if (!ahead_) return lexer_.next();
    Token token = std::move(*ahead_);
    ahead_.reset();
    return token;
  }
  const Token& peek() {
    if (!ahead_) ahead_ = lexer_.next();
    return *ahead_;
  }

  void note(const Frame& frame, int line) {
    found_[static_cast<std::size_t>(frame.scenario)].keys.emplace(frame.key, line);
  }

  [[nodiscard]] static std::string join(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  /// The first token of a table's entry names its key, or begins a value without one.
  void begin_entry(const Token& token) {
    Frame& frame = frames_.back();
    frame.at_start = false;
    if (frame.scenario < 0) return;
    if (token.kind == Kind::name && peek().text == "=" && peek().kind == Kind::sign) {
      frame.key = join(frame.path, token.text);
    } else if (token.kind == Kind::sign && token.text == "[") {
      frame.key = peek().kind == Kind::text ? join(frame.path, peek().text) : frame.path;
    } else {
      frame.key = frame.path + "[" + std::to_string(++frame.items) + "]";
    }
    note(frame, token.line);
  }

  void open_table(const Token& token) {
    const bool called = last_.kind == Kind::sign && last_.text == "(";
    const Token& before = called ? before_last_ : last_;
    Frame frame{Frame::Kind::table, -1, {}, {}, 0, true};
    if (before.kind == Kind::name && before.text == "scenario") {
      frame.scenario = static_cast<int>(found_.size());
      found_.push_back({token.line, {}});
    } else if (!frames_.empty() && frames_.size() < depth_max && frames_.back().kind == Frame::Kind::table &&
               last_.kind == Kind::sign) {
      frame.scenario = frames_.back().scenario;
      frame.path = frames_.back().key;
    }
    frames_.push_back(std::move(frame));
  }

  void read(const Token& token) {
    const bool in_table = !frames_.empty() && frames_.back().kind == Frame::Kind::table;
    const bool sign = token.kind == Kind::sign;
    if (in_table && frames_.back().at_start && !(sign && (token.text == "}" || token.text == ","))) begin_entry(token);
    if (sign && token.text == "{") return open_table(token);
    if (sign && (token.text == "(" || token.text == "[")) return open(Frame::Kind::bracket);
    if (sign && (token.text == "}" || token.text == ")" || token.text == "]")) return close();
    if (sign && (token.text == "," || token.text == ";") && in_table) frames_.back().at_start = true;
    if (token.kind != Kind::name) return;
    const std::string& word = token.text;
    if (word == "function" || word == "do" || word == "if" || word == "repeat") return open(Frame::Kind::block);
    if (word == "end" || word == "until") close();
  }

  void open(Frame::Kind kind) { frames_.push_back({kind, -1, {}, {}, 0, false}); }
  void close() {
    if (!frames_.empty()) frames_.pop_back();
  }

  Lexer lexer_;
  std::optional<Token> ahead_;
  Token last_, before_last_;
  std::vector<Frame> frames_;
  std::vector<KeyLines> found_;
};

}  // namespace

int KeyLines::of(std::string_view path) const {
  while (!path.empty()) {
    if (const auto at = keys.find(path); at != keys.end()) return at->second;
    const std::size_t cut = path.find_last_of(".[");
    path = path.substr(0, cut == std::string_view::npos ? 0 : cut);
  }
  return line;
}

std::vector<KeyLines> scan_key_lines(std::string_view text) { return Scanner(text).scan(); }

}  // namespace cohsim
