// Internal to lua/: splits JSON text into tokens, with the words and positions of cjson's errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cohsim::lua {

class JsonTokens {
 public:
  enum class Kind : std::uint8_t {
    object_begin,
    object_end,
    array_begin,
    array_end,
    string,
    number,
    boolean,
    null,
    colon,
    comma,
    end,
    error
  };

  /// The text must live as long as this, and a NUL must stand behind it. `decode_invalid` reads numbers that are none
  /// in JSON: hexadecimal, infinite, NaN, with leading zeros.
  JsonTokens(std::string_view text, bool decode_invalid) : start_(text.data()), at_(start_), invalid_(decode_invalid) {}

  /// Reads the next token into what the functions below answer.
  void next();

  [[nodiscard]] Kind kind() const { return kind_; }
  /// A string's bytes.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// A number's value; 0 or 1 of a boolean.
  [[nodiscard]] double number() const { return number_; }
  /// How errors name the token: "T_COMMA", or what is wrong with it.
  [[nodiscard]] const char* name() const;
  /// Where the token begins, or where its fault is, counted from 0.
  [[nodiscard]] int place() const { return place_; }
  /// Bytes read so far.
  [[nodiscard]] int consumed() const { return static_cast<int>(at_ - start_); }

 private:
  void fail(const char* reason);
  void word(std::string_view expected, Kind kind, double value);
  void read_number();
  [[nodiscard]] bool at_invalid_number() const;
  void read_string();
  bool read_unicode_escape();

  const char* start_;
  const char* at_;
  bool invalid_;
  Kind kind_ = Kind::end;
  int place_ = 0;
  double number_ = 0;
  std::string text_;
  const char* reason_ = nullptr;
};

}  // namespace cohsim::lua
