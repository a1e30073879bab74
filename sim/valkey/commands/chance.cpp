#include "sim/valkey/commands/chance.h"

#include <algorithm>

#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

std::optional<std::vector<std::size_t>> choose_places(CommandCall& call, std::size_t among, std::int64_t count) {
  constexpr std::int64_t repetitions_max = 1'000'000;
  std::vector<std::size_t> places;
  if (count < -repetitions_max) {
    call.server.remember_not_simulated("a random choice of more than a million", "");
    call.reply.error("ERR a random choice of more than a million is not simulated");
    return std::nullopt;
  }
  if (count < 0) {
    for (std::int64_t left = -count; left > 0; --left) places.push_back(call.server.choices.next() % among);
    return places;
  }
  auto wanted = static_cast<std::size_t>(std::min<std::int64_t>(count, static_cast<std::int64_t>(among)));
  for (std::size_t place = 0; wanted > 0; ++place) {
    if (call.server.choices.next() % (among - place) >= wanted) continue;
    places.push_back(place);
    --wanted;
  }
  return places;
}

}  // namespace cohsim::valkey
