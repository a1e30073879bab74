#include <fmt/format.h>

#include "fidelity/campaign.h"

namespace cohsim::fidelity {

std::string to_text(const CampaignResult& result) {
  std::string text;
  for (const Finding& finding : result.findings) text += fmt::format("DIFFERS: {}\n{}\n", finding.origin, finding.text);
  const Coverage& coverage = result.coverage;
  text += fmt::format("{} sequences ({} of them fixed cases), {} commands sent, {} replies compared\n", coverage.sequences,
                      result.cases, coverage.sent, coverage.replies);
  text += fmt::format("covered: {} commands, {} options, {} error texts\n", coverage.commands.size(), coverage.options(), coverage.errors());
  if (!result.commands_left_out.empty()) {
    text += fmt::format("not simulated, left out: {}\n", fmt::join(result.commands_left_out, ", "));
  }
  for (const std::string& open : result.cases_open) text += fmt::format("case listed as open, {}\n", open);
  for (const std::string& left_out : result.cases_left_out) text += fmt::format("case not run, {}\n", left_out);
  for (const auto& [what, times] : result.not_simulated) text += fmt::format("not judged, met {}: {} sequences\n", what, times);
  if (result.parted != 0) {
    text += fmt::format("{} sequences compared only up to where the servers drew different members\n", result.parted);
  }
  for (const Finding& once : result.unsteady) text += fmt::format("differed once and not again: {}\n{}\n", once.origin, once.text);
  if (result.left != 0) text += fmt::format("ended behind that many differences: {} sequences were not run\n", result.left);
  return text + fmt::format("{} differences\n", result.findings.size());
}

}  // namespace cohsim::fidelity
