// Runs the same sequences on the fake and on its peer, and compares what every connection receives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fidelity/case_file.h"
#include "fidelity/coverage.h"
#include "fidelity/fresh_start.h"
#include "fidelity/peer.h"

namespace cohsim::fidelity {

struct CampaignSettings {
  std::vector<std::uint64_t> seeds{1};  ///< the first ones
  std::uint64_t sequences = 1000;       ///< from each
  const valkey::Personality* personality = &valkey::redis_7_0();
  std::map<std::string, std::string> open_cases;  ///< that may differ, with the reason (parse_open_cases)
  std::function<std::int64_t()> now_us;  ///< the peer's wall clock
  FakeConnections::Spoil spoil;          ///< of the fake's answers, where the campaign itself is tested
  std::size_t findings_max = 20;         ///< the campaign ends behind so many
  std::function<void(std::uint64_t done)> progress;
};

/// A sequence that no shrink of it makes shorter.
struct Finding {
  std::string origin;  ///< "seed 17" or "case arg-float"
  std::string text;    ///< in the form of server_cases.txt: both replies where they differ
  std::size_t commands = 0;
};

struct CampaignResult {
  Coverage coverage;  ///< of what was compared
  std::uint64_t cases = 0;
  std::uint64_t loosened = 0;  ///< sequences compared by the kind of reply only, behind an EXEC that is out of step
  std::uint64_t parted = 0;  ///< sequences whose servers drew other members: compared up to there
  std::vector<std::string> cases_open;                 ///< that differ as `open_cases` says
  std::vector<std::string> cases_left_out;             ///< with the reason
  std::set<std::string> commands_left_out;             ///< shapes that the fake does not simulate
  std::map<std::string, std::uint64_t> not_simulated;  ///< sequences that met such a command all the same
  std::vector<Finding> unsteady;  ///< differed once and not when run again, not shrunk
  std::vector<Finding> findings;
  std::uint64_t left = 0;  ///< sequences not run, since `findings_max` was reached
};

class Campaign {
 public:
  Campaign(lua::Interpreter& interpreter, Peer& peer, CampaignSettings settings);

  void run_cases(const std::vector<Case>& cases);
  void run_sequences();
  [[nodiscard]] const CampaignResult& result() const { return result_; }

 private:
  struct Difference {
    std::size_t place = 0;
    int connection = 1;
    std::string real, fake;  ///< empty: nothing came
  };
  struct Outcome {
    FakeRun fake;
    bool parted = false;
    std::vector<Difference> differences;  ///< the first one
  };

  Outcome run(const Sequence& sequence);
  void compare_batch(const Sequence& sequence, std::size_t begin, std::size_t end, Outcome& outcome);
  void judge(const std::string& origin, const rc::Shrinkable<Sequence>& sequence);
  void shrink(const std::string& origin, rc::Shrinkable<Sequence> sequence, Outcome outcome);
  void find_simulated();
  static std::string text_of(const Sequence& sequence, const Difference& difference);
  bool restart(const std::string& locale);
  std::string start_for(const Case& fixed, const Sequence& sequence);

  lua::Interpreter& interpreter_;
  Peer& peer_;
  CampaignSettings settings_;
  CampaignResult result_;
  FreshStart fresh_;
  std::vector<bool> simulated_;
  std::string locale_ = "C";       ///< of both servers
  bool settings_changed_ = false;  ///< of the real server, by the last sequence
  bool in_cases_ = false;          ///< which were observed one command after the other
  int patience_ms_ = 1000;         ///< a string of 256 MiB takes the real server a fifth of a second
  ScriptSpeed speed_;
};

/// What people read: counts, what was left out, findings.
[[nodiscard]] std::string to_text(const CampaignResult& result);
/// Why a campaign without findings says too little all the same; empty where it says enough: what differed once, or
/// could not be compared to its end, must stay rare.
[[nodiscard]] std::string doubt_of(const CampaignResult& result);

}  // namespace cohsim::fidelity
