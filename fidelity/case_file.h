// Fixed cases as text: what is sent on which connection, and the exact frames that a real server answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cohsim::fidelity {

struct Step {
  enum class Kind : std::uint8_t { send, expect, sleep };
  Kind kind = Kind::send;
  int connection = 1;                 ///< 1 to 9
  std::vector<std::string> args;      ///< of `send`
  std::optional<std::string> frame;   ///< of `expect`; nullopt: nothing arrives. "@ID@" stands for any digits
  bool differs = false;               ///< Valkey answers `valkey_frame` instead
  std::optional<std::string> valkey_frame;
  std::int64_t sleep_ms = 0;
  std::size_t line = 0;               ///< of the file, from 1

  [[nodiscard]] const std::optional<std::string>& expected(bool valkey) const {
    return valkey && differs ? valkey_frame : frame;
  }
};

struct Case {
  std::string name;
  std::string about;
  std::string locale = "C";  ///< of string comparison in scripts
  std::vector<Step> steps;
};

struct CaseFile {
  std::vector<Case> cases;
  std::string problem;  ///< "line 12: …" where the text is none; empty otherwise
};

/// Reads the form that the head of server_cases.txt explains. `c1>*N […]` sends N commands with %d counting from 0, and
/// `c1<*N "…"` expects as many frames. No line may be longer than 64 KiB, no N greater than 10 000.
[[nodiscard]] CaseFile parse_cases(std::string_view text);

/// open_cases.txt: the reasons by "personality case". Throws std::runtime_error with the line that is none.
[[nodiscard]] std::map<std::string, std::string> parse_open_cases(std::string_view text);

/// A JSON string, one character a byte, as the file has them.
[[nodiscard]] std::string quoted(std::string_view bytes);
/// `c1> ["GET", "k"]`.
[[nodiscard]] std::string command_line(int connection, const std::vector<std::string>& args);
/// `c1< "$-1\r\n"`; nullopt is "(none)".
[[nodiscard]] std::string frame_line(int connection, const std::optional<std::string>& frame);

/// Whether the bytes are those of `expected`, where "@ID@" stands for one or more digits.
[[nodiscard]] bool matches(const std::optional<std::string>& expected, const std::optional<std::string>& got);

}  // namespace cohsim::fidelity
