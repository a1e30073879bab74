// What a campaign has asked of the fake: commands, options and error texts.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fidelity/fake_run.h"
#include "fidelity/sequences.h"

namespace cohsim::fidelity {

struct Coverage {
  struct Command {
    std::uint64_t sent = 0;         ///< by clients, and by scripts
    std::uint64_t in_scripts = 0;   ///< of them
    std::set<std::string> options;  ///< words in capitals
    std::set<std::string> errors;   ///< up to the first quoted word
  };
  std::map<std::string, Command> commands;
  std::uint64_t sequences = 0, sent = 0, replies = 0;

  void add(const Sequence& sequence, const std::vector<FakeFrame>& frames);
  [[nodiscard]] std::size_t options() const;
  [[nodiscard]] std::size_t errors() const;  ///< different ones over all commands
};

}  // namespace cohsim::fidelity
