#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#include "lua/value.h"

namespace cohsim::cli {
namespace {

bool set_and_not_empty(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || std::string_view(terminal) == "dumb";
}

}  // namespace

std::string plain_text(std::string_view text) {
  std::string plain;
  for (std::size_t place = 0; place < text.size(); ++place) {
    const bool kept = text[place] == '\n' || text[place] == '\t' || !lua::begins_with_control(text.substr(place));
    if (kept) {
      plain += text[place];
    } else {
      plain += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[place]));
    }
  }
  return plain;
}

bool color_wanted(const std::string& choice) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  return ::isatty(STDOUT_FILENO) == 1 && !set_and_not_empty("NO_COLOR") && !dumb();
}

bool progress_possible() { return ::isatty(STDERR_FILENO) == 1 && !dumb(); }

void show_progress(const Progress& progress) {
  const double seconds = static_cast<double>(progress.elapsed_ms) / 1000;
  const double rate = seconds > 0 ? static_cast<double>(progress.runs_done) / seconds : 0;
  const double left = rate > 0 ? static_cast<double>(progress.runs_wanted - progress.runs_done) / rate : 0;
  std::cerr << fmt::format("\r\x1b[K{} of {} runs, {:.0f} a second, {:.0f} s left{}", progress.runs_done,
                           progress.runs_wanted, rate, left,
                           progress.unexpected > 0 ? fmt::format(", {} not as expected", progress.unexpected) : "")
            << std::flush;
}

void clear_progress() { std::cerr << "\r\x1b[K" << std::flush; }

}  // namespace cohsim::cli
