#include "reports/escape.h"

#include <fmt/format.h>

#include "model/identity.h"

namespace cohsim {
namespace {

bool is_printable(char c) { return c >= ' ' && c < '\x7f'; }

std::string hex(char c) { return fmt::format("\\x{:02x}", static_cast<unsigned char>(c)); }

bool is_bare(std::string_view bytes) {
  if (bytes.empty() || bytes == "-") return false;
  for (const char c : bytes) {
    if (!is_printable(c) || c == ' ' || c == '"' || c == '\\' || c == '|' || c == '=') return false;
  }
  return true;
}

std::string word(std::string_view bytes) {
  if (is_bare(bytes)) return std::string(bytes);
  std::string out = "\"";
  for (const char c : bytes) {
    if (!is_printable(c)) {
      out += hex(c);
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string show_bytes(std::string_view bytes) {
  if (bytes.size() > branded_size && bytes[branded_size] != ':' && is_branded(bytes.substr(0, branded_size))) {
    return std::string(bytes.substr(0, branded_size)) + '|' + word(bytes.substr(branded_size));
  }
  return word(bytes);
}

std::string show_time(TimeUs at) {
  const bool negative = at < 0;
  const TimeUs size = negative ? -at : at;
  return fmt::format("{}{}.{:06}", negative ? "-" : "", size / us_per_s, size % us_per_s);
}

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                             : (byte(0) & 0xf0) == 0xe0        ? 3
                             : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                                 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (byte(0) == 0xe0 && byte(1) < 0xa0) || (byte(0) == 0xf0 && byte(1) < 0x90);
  const bool surrogate = byte(0) == 0xed && byte(1) > 0x9f;
  const bool too_large = byte(0) == 0xf4 && byte(1) > 0x8f;
  // U+FFFE and U+FFFF are no XML characters.
  const bool no_character = byte(0) == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe;
  return overlong || surrogate || too_large || no_character ? 0 : length;
}

std::string one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const bool control = length == 1 && !is_printable(text[0]);
    if (length == 0 || control) {
      out += hex(text[0]);
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string xml_escape(std::string_view text) {
  std::string out;
  const auto keep = [](char c) { return c == '\n' || c == '\t'; };
  std::size_t begin = 0;
  // Line breaks are kept; everything between them is made one line first.
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && !keep(text[i])) continue;
    for (const char c : one_line(text.substr(begin, i - begin))) {
      switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += c;
      }
    }
    if (i < text.size()) out += text[i];
    begin = i + 1;
  }
  return out;
}

std::string markdown_escape(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`*_{}[]<>#|~&").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') out += "'\\''";
    else out += c;
  }
  return out + "'";
}

}  // namespace cohsim
