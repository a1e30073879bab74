#include <fmt/format.h>

#include "cli/command.h"

namespace cohsim::cli {

void add_unbuilt(CLI::App& app, Action& action) {
  for (const char* name : {"shrink", "explore", "mutate", "script", "diff", "merge", "why"}) {
    CLI::App* command = app.add_subcommand(name, "not built yet")->group("")->allow_extras();
    command->set_help_flag();
    command->callback([name, &action] {
      action = [name]() -> ExitCode {
        throw UsageError(fmt::format("{}: not built yet; `cohsim --help` lists what is", name));
      };
    });
  }
}

}  // namespace cohsim::cli
