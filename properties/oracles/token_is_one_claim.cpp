// No two claims of one job id ever hold the same token.
#include <algorithm>

#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class TokenIsOneClaim final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "token_is_one_claim"; }

  void on(const When& when, const event::JobClaimed& event) override {
    exercise();
    const auto queue = claimed_.try_emplace(std::string(event.queue)).first;
    auto job = queue->second.find(event.job);
    if (job == queue->second.end()) job = queue->second.emplace(std::string(event.job), Tokens{}).first;
    Tokens& tokens = job->second;
    if (std::find(tokens.begin(), tokens.end(), event.token) != tokens.end()) {
      violate(when, fmt::format("{} claimed job {} of {} with token {}, which an earlier claim of it held",
                                world().actor_name(event.node), event.job, event.queue, event.token));
      return;
    }
    tokens.push_back(event.token);
  }

 private:
  using Tokens = std::vector<std::int64_t>;  // a few: a job dies after three attempts
  std::map<std::string, std::map<std::string, Tokens, std::less<>>> claimed_;
};

}  // namespace

std::unique_ptr<Oracle> make_token_is_one_claim(const WorldView& world) {
  return std::make_unique<TokenIsOneClaim>(world);
}

}  // namespace cohsim::oracles
