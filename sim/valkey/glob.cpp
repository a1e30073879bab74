#include "sim/valkey/glob.h"

#include <algorithm>
#include <cstddef>

namespace cohsim::valkey {

namespace {

unsigned char byte_at(std::string_view text, std::size_t place) { return static_cast<unsigned char>(text[place]); }

/// Whether the class that begins behind '[' holds `letter`; moves `place` to its last character.
bool class_holds(std::string_view pattern, std::size_t& place, unsigned char letter) {
  bool inverted = false;
  if (place < pattern.size() && pattern[place] == '^') {
    inverted = true;
    ++place;
  }
  bool held = false;
  for (;; ++place) {
    if (place >= pattern.size()) {
      --place;
      break;
    }
    if (pattern[place] == '\\' && place + 1 < pattern.size()) {
      ++place;
      held = held || byte_at(pattern, place) == letter;
    } else if (pattern[place] == ']') {
      break;
    } else if (place + 2 < pattern.size() && pattern[place + 1] == '-') {
      const unsigned char first = byte_at(pattern, place);
      const unsigned char last = byte_at(pattern, place + 2);
      held = held || (std::min(first, last) <= letter && letter <= std::max(first, last));
      place += 2;
    } else {
      held = held || byte_at(pattern, place) == letter;
    }
  }
  return held != inverted;
}

/// Matches one item of the pattern (not '*') against one letter; moves `place` behind the item.
bool item_matches(std::string_view pattern, std::size_t& place, unsigned char letter) {
  bool matches = true;
  if (pattern[place] == '[') {
    ++place;
    matches = class_holds(pattern, place, letter);
  } else if (pattern[place] != '?') {
    if (pattern[place] == '\\' && place + 1 < pattern.size()) ++place;
    matches = byte_at(pattern, place) == letter;
  }
  ++place;
  return matches;
}

}  // namespace

// Only the last star is ever tried again: one that came before it has nothing to gain. So the cost stays
// |pattern| × |text| for any pattern.
bool glob_matches(std::string_view pattern, std::string_view text) {
  if (text.empty()) return pattern.empty();  // as real servers have it: not even "*" matches it
  constexpr std::size_t none = std::string_view::npos;
  std::size_t place = 0;
  std::size_t star = none;
  std::size_t resume = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (place < pattern.size() && pattern[place] == '*') {
      star = ++place;
      resume = at;
      continue;
    }
    if (place < pattern.size() && item_matches(pattern, place, byte_at(text, at))) {
      ++at;
      continue;
    }
    if (star == none) return false;
    place = star;
    at = ++resume;
  }
  while (place < pattern.size() && pattern[place] == '*') ++place;
  return place >= pattern.size();
}

}  // namespace cohsim::valkey
