// Colours and the progress line: what only a terminal gets to see.
#pragma once

#include <string>
#include <string_view>

#include "properties/gate.h"

namespace cohsim::cli {

/// "always", "never" or "auto": a terminal on stdout, no NO_COLOR, and TERM not "dumb".
[[nodiscard]] bool color_wanted(const std::string& choice);

/// The text with \xNN for what a terminal would obey, line ends and tabs excepted: names of files and options come from
/// anywhere.
[[nodiscard]] std::string plain_text(std::string_view text);

/// Whether stderr is a terminal that can rewrite a line.
[[nodiscard]] bool progress_possible();

/// Rewrites one line on stderr: runs, rate, time left.
void show_progress(const Progress& progress);
void clear_progress();

}  // namespace cohsim::cli
