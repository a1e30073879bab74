#include <fmt/format.h>

#include "fidelity/campaign.h"

namespace cohsim::fidelity {

std::string to_text(const CampaignResult& result) {
  std::string text;
  for (const Finding& finding : result.findings) text += fmt::format("DIFFERS: {}\n{}\n", finding.origin, finding.text);
  const Coverage& coverage = result.coverage;
  text += fmt::format("{} sequences compared to their ends (generated ones, and {} fixed cases), {} commands sent, {} replies compared\n", coverage.sequences,
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
  if (result.loosened != 0) {
    text += fmt::format("{} sequences compared by the kind of reply alone behind an EXEC that is out of step\n", result.loosened);
  }
  for (const Finding& once : result.unsteady) text += fmt::format("differed once and not again: {}\n{}\n", once.origin, once.text);
  if (result.left != 0) text += fmt::format("ended behind that many differences: {} sequences were not run\n", result.left);
  return text + fmt::format("{} differences\n", result.findings.size());
}

std::string doubt_of(const CampaignResult& result) {
  std::uint64_t unjudged = 0;
  for (const auto& [what, times] : result.not_simulated) unjudged += times;
  const std::uint64_t all = result.coverage.sequences + result.parted + unjudged;
  const auto check = [&](std::uint64_t count, std::uint64_t share, std::string_view what) {
    return count <= 1 + all / share ? "" : fmt::format("{} of {} sequences {}: too many to say that nothing differs", count, all, what);
  };
  if (std::string text = check(result.unsteady.size(), 10'000, "differed once and not again"); !text.empty()) return text;
  if (std::string text = check(result.parted, 500, "could not be compared to their ends"); !text.empty()) return text;
  if (std::string text = check(unjudged, 50, "met what is not simulated"); !text.empty()) return text;
  return check(result.loosened, 20, "were compared by the kind of reply alone");
}

}  // namespace cohsim::fidelity
