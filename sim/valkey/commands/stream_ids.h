// Ids of streams as commands read and spell them (t_stream.c).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/valkey/command.h"
#include "sim/valkey/stream.h"

namespace cohsim::valkey {

inline constexpr StreamId highest_id{~std::uint64_t{0}, ~std::uint64_t{0}};

/// "ms" or "ms-sequence"; where the sequence lacks it is `sequence`.
[[nodiscard]] std::optional<StreamId> parse_stream_id(std::string_view text, std::uint64_t sequence);
/// The same; false with the error written.
bool read_stream_id(CommandCall& call, std::string_view text, std::uint64_t sequence, StreamId& id);
[[nodiscard]] std::string stream_id_text(StreamId id);
/// The next id; nullopt behind the last.
[[nodiscard]] std::optional<StreamId> id_behind(StreamId id);
/// The id before; nullopt before the first.
[[nodiscard]] std::optional<StreamId> id_before(StreamId id);

// The commands that only look, for the table of all.
void run_xrange(CommandCall& call);
void run_xrevrange(CommandCall& call);
void run_xread(CommandCall& call);

}  // namespace cohsim::valkey
