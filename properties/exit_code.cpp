#include "properties/exit_code.h"

namespace cohsim {
namespace {

int weight(ExitCode code) {
  switch (code) {
    case ExitCode::ok: return 0;
    case ExitCode::undecided: return 1;
    case ExitCode::failed: return 2;
    case ExitCode::usage: return 3;
    case ExitCode::internal: return 4;
    case ExitCode::interrupted: return 5;
  }
  return 4;
}

}  // namespace

ExitCode worse(ExitCode a, ExitCode b) { return weight(a) >= weight(b) ? a : b; }

std::string_view meaning_of(ExitCode code) {
  switch (code) {
    case ExitCode::ok: return "every scenario came out as it expects";
    case ExitCode::failed: return "at least one scenario did not come out as it expects";
    case ExitCode::usage: return "a scenario or script cannot be used";
    case ExitCode::internal: return "the simulator itself is at fault";
    case ExitCode::undecided: return "something that had to be decided was not";
    case ExitCode::interrupted: return "interrupted";
  }
  return "unknown";
}

}  // namespace cohsim
