// Which lines of a run a diagram shows: those that the violation needs, repeats folded.
#pragma once

#include "properties/oracle.h"
#include "reports/schedule_lines.h"

namespace cohsim {

struct ScheduleStory {
  std::vector<ScheduleLine> lines;  ///< quiet ones too: they change cells
  std::vector<std::string> names;   ///< that it shows, the violated one first
};

[[nodiscard]] ScheduleStory schedule_story(const ScheduleLines& all, const Violation& violation);

/// `text` as a pattern: ids of 14 letters, numbers and times are one sign each.
[[nodiscard]] std::string shape_of(const ScheduleLine& line);

}  // namespace cohsim
