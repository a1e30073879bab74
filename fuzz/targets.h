// What is fuzzed: each takes any bytes, and throws std::logic_error where something does not hold.
#pragma once

#include <span>
#include <string_view>

namespace cohsim::fuzz {

struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};

/// Requests of one connection, whole and in pieces whose sizes the first byte gives.
void run_resp(std::string_view bytes);
/// Lines are commands, tabs part their arguments; a line that begins with '2' or '3' comes from another client. The first
/// byte chooses the personality.
void run_commands(std::string_view bytes);
/// A script of EVAL with one key and one argument. The first byte chooses the personality.
void run_script(std::string_view bytes);

[[nodiscard]] std::span<const Target> targets();

/// Whether the bytes are whole frames of RESP, one behind the other.
[[nodiscard]] bool are_frames(std::string_view bytes);

}  // namespace cohsim::fuzz
