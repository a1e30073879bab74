#include "fidelity/conformance.h"

#include <fmt/format.h>

#include "fidelity/by_design.h"

namespace cohsim::fidelity {

namespace {

std::string_view compared(const std::string& command) {
  for (const Difference& difference : by_design()) {
    if (difference.command == command) return "¹";
  }
  return "";
}

std::string_view in_words(Comparison comparison) {
  switch (comparison) {
    case Comparison::exact: return "byte for byte";
    case Comparison::unordered: return "items in any order, unless the collection is small enough to be ordered";
    case Comparison::pairs: return "pairs in any order, unless the collection is small enough to be ordered";
    case Comparison::near_s: return "integers within 2 s";
    case Comparison::near_ms: return "integers within 2000 ms";
    case Comparison::subset: return "all pairs of the fake among the real server's";
    case Comparison::shape: return "types and numbers of items";
    case Comparison::drawn: return "items in any order; where others were drawn, types and numbers, and the sequence ends";
    case Comparison::kind: return "types";
    case Comparison::channel: return "all but the channel's name";
    case Comparison::hello: return "all but the client's id";
  }
  return "";
}

}  // namespace

std::string conformance_table(const CampaignResult& result, const std::string& server) {
  const Coverage& coverage = result.coverage;
  std::string text = fmt::format(
      "# What the fake was compared in\n\nWritten by `cohsim fidelity --table`; do not edit.\n\n"
      "Against {}: {} sequences compared to their ends (generated ones, and {} fixed cases), {} commands sent, {} replies compared, **{} differences**; {} commands, "
      "{} options, {} error texts.\n\n",
      server, coverage.sequences, result.cases, coverage.sent, coverage.replies, result.findings.size(), coverage.commands.size(),
      coverage.options(), coverage.errors());
  text += "| command | sent | of them by scripts | options | error texts |\n|---|---|---|---|---|\n";
  for (const auto& [name, command] : coverage.commands) {
    text += fmt::format("| {}{} | {} | {} | {} | {} |\n", name, compared(name), command.sent, command.in_scripts,
                        fmt::join(command.options, " "), command.errors.size());
  }
  text += "\n¹ Not byte for byte, by design:\n\n| command | compared | why |\n|---|---|---|\n";
  for (const Difference& difference : by_design()) {
    text += fmt::format("| {} | {} | {} |\n", difference.command, in_words(difference.comparison), difference.reason);
  }
  text += fmt::format(
      "\nBehind an EXEC whose replies are out of step (CLIENT REPLY, or SUBSCRIBE of several channels, inside of it) the replies to that "
      "connection were compared by kind alone: {} sequences. Where two patterns match a message, who is told first follows a hash "
      "table: such pushes are compared by kind. {} sequences were compared only up to where the servers drew other members.\n",
      result.loosened, result.parted);
  return text;
}

}  // namespace cohsim::fidelity
