// Runs the same sequences on the fake and on its peer, and compares what every connection receives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fidelity/case_file.h"
#include "fidelity/fake_connections.h"
#include "fidelity/peer.h"
#include "fidelity/sequences.h"

namespace cohsim::fidelity {

struct CampaignSettings {
  std::uint64_t from = 1;
  std::uint64_t sequences = 1000;
  const valkey::Personality* personality = &valkey::redis_7_0();
  std::function<std::int64_t()> now_us;  ///< the peer's wall clock
  FakeConnections::Alter alter;          ///< of the fake's replies, where the campaign itself is tested
  std::size_t findings_max = 20;         ///< the campaign ends behind so many
  std::function<void(std::uint64_t done)> progress;
};

/// A sequence that no shrink of it makes shorter.
struct Finding {
  std::string origin;  ///< "seed 17" or "case arg-float"
  std::string text;    ///< in the form of server_cases.txt: both replies where they differ
};

struct CampaignResult {
  std::uint64_t sequences = 0, commands = 0, replies = 0, cases = 0;
  std::set<std::string> commands_covered, options_covered, errors_covered;
  std::set<std::string> commands_left_out;           ///< shapes that the fake does not simulate
  std::map<std::string, std::uint64_t> not_simulated;  ///< sequences that met such a command all the same
  std::vector<Finding> findings;
  std::uint64_t left = 0;  ///< sequences not run, since `findings_max` was reached
};

class Campaign {
 public:
  Campaign(lua::Interpreter& interpreter, Peer& peer, CampaignSettings settings);

  /// Cases of the file that need neither sleep, nor settings of the server, nor a locale.
  void run_cases(const std::vector<Case>& cases);
  void run_sequences();
  [[nodiscard]] const CampaignResult& result() const { return result_; }

 private:
  struct Frame {
    int connection = 1;
    std::size_t place = 0;  ///< of the command that it follows
    std::string bytes;
  };
  struct Difference {
    std::size_t place = 0;
    int connection = 1;
    std::string real, fake;  ///< empty: nothing came
  };
  struct Outcome {
    bool judged = true;
    std::vector<Difference> differences;  ///< the first one
  };

  Outcome run(const Sequence& sequence);
  std::vector<Frame> run_fake(const Sequence& sequence, bool& judged);
  void compare_batch(const Sequence& sequence, const std::vector<Frame>& frames, std::size_t begin, std::size_t end,
                     Outcome& outcome);
  void begin_afresh();
  void count(const Sequence& sequence, const std::vector<Frame>& frames);
  void judge(const std::string& origin, rc::Shrinkable<Sequence> sequence);
  void find_simulated();

  lua::Interpreter& interpreter_;
  Peer& peer_;
  CampaignSettings settings_;
  CampaignResult result_;
  std::vector<bool> simulated_;
  bool counting_ = true;
};

/// What people read: counts, what was left out, findings.
[[nodiscard]] std::string to_text(const CampaignResult& result);

}  // namespace cohsim::fidelity
