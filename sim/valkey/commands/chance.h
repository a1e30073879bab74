// What commands pick by chance, from the server's own generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/valkey/command.h"

namespace cohsim::valkey {

/// Places below `among`, which is not 0: with `count` below 0 so many, each any of all; else so many different ones, in
/// order. Nothing, with an error written, for more repetitions than a reply should hold here.
[[nodiscard]] std::optional<std::vector<std::size_t>> choose_places(CommandCall& call, std::size_t among,
                                                                    std::int64_t count);

}  // namespace cohsim::valkey
