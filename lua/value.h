// Values that cross between C++ and a data file: plain trees, no pointers into Lua.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cohsim::lua {

struct Table;

/// A function that lives in one Host; means nothing to any other.
struct FunctionRef {
  int ref = 0;
  friend bool operator==(const FunctionRef&, const FunctionRef&) = default;
};

/// nil, boolean, number, string of bytes, table or function. Copies share tables, which nobody changes after building.
class Value {
 public:
  Value() = default;
  Value(bool value) : kind_(Kind::boolean), number_(value ? 1 : 0) {}
  Value(double value) : kind_(Kind::number), number_(value) {}
  Value(std::string value) : kind_(Kind::string), text_(std::move(value)) {}
  Value(std::string_view value) : kind_(Kind::string), text_(value) {}
  Value(const char* value) : kind_(Kind::string), text_(value) {}
  Value(FunctionRef value) : kind_(Kind::function), function_(value) {}
  Value(Table value);
  template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) Value(T value)
      : kind_(Kind::number), number_(static_cast<double>(value)) {}

  [[nodiscard]] bool is_nil() const { return kind_ == Kind::nil; }
  [[nodiscard]] std::optional<bool> boolean() const {
    return kind_ == Kind::boolean ? std::optional(number_ != 0) : std::nullopt;
  }
  /// Null unless it is of that type.
  [[nodiscard]] const double* number() const { return kind_ == Kind::number ? &number_ : nullptr; }
  [[nodiscard]] const std::string* string() const { return kind_ == Kind::string ? &text_ : nullptr; }
  [[nodiscard]] const FunctionRef* function() const { return kind_ == Kind::function ? &function_ : nullptr; }
  [[nodiscard]] const Table* table() const { return table_.get(); }
  /// As Lua judges it: neither nil nor false.
  [[nodiscard]] bool truthy() const { return !is_nil() && boolean().value_or(true); }
  /// "nil", "boolean", "number", "string", "table" or "function".
  [[nodiscard]] std::string_view type() const;
  /// For messages: `"text"` (shortened, bytes escaped), 0.5, true, a table, a function.
  [[nodiscard]] std::string text() const;

 private:
  // Not a std::variant: GCC 12 warns of a string in it that it believes uninitialised.
  enum class Kind : std::uint8_t { nil, boolean, number, string, function, table };
  Kind kind_ = Kind::nil;
  double number_ = 0;
  FunctionRef function_;
  std::string text_;
  std::shared_ptr<const Table> table_;
};

/// Entries in the order in which `pairs` gives them: numbers ascending, strings by bytes, false, true. Keys are
/// numbers, strings or booleans, each once; no value is nil.
struct Table {
  std::vector<std::pair<Value, Value>> entries;
  Table() = default;
  /// Leaves out entries whose value is nil, and sorts.
  Table(std::initializer_list<std::pair<std::string_view, Value>> named);
  static Table list(std::vector<Value> items);
  /// Null when absent.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// True when the keys are exactly 1..n (so of an empty table too).
  [[nodiscard]] bool is_list() const;
  void set(std::string_view key, Value value);
};

/// Whether the text begins with a character that a terminal would obey: C0, DEL, or one of UTF-8's C1.
[[nodiscard]] bool begins_with_control(std::string_view text);

/// The shortest decimal text that reads back, without exponent where that is readable: 1, 0.05, 1e+20.
[[nodiscard]] std::string number_as_text(double number);
/// Valid UTF-8 without control characters as it is, every other byte as \xHH, cut behind `limit` bytes.
[[nodiscard]] std::string quoted(std::string_view bytes, std::size_t limit = 60);
/// Length of the well-formed UTF-8 character that `bytes` begins with; 0 when there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view bytes);

}  // namespace cohsim::lua
