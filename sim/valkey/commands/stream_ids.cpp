#include "sim/valkey/commands/stream_ids.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

namespace {

/// What strtoull takes, but no negative number in its plain spelling (util.c, string2ull).
std::optional<std::uint64_t> read_part(const std::string& text) {
  const auto plain = read_integer(text);
  if (plain) return *plain < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(*plain));
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || errno != 0 || *end != '\0') return std::nullopt;
  return value;
}

}  // namespace

std::optional<StreamId> parse_stream_id(std::string_view text, std::uint64_t sequence) {
  constexpr std::size_t longest = 127;
  if (text.size() > longest) return std::nullopt;
  text = text.substr(0, text.find('\0'));
  const std::size_t dash = text.find('-');
  const auto ms = read_part(std::string(text.substr(0, dash)));
  if (!ms) return std::nullopt;
  if (dash == std::string_view::npos) return StreamId{*ms, sequence};
  const auto behind = read_part(std::string(text.substr(dash + 1)));
  if (!behind) return std::nullopt;
  return StreamId{*ms, *behind};
}

bool read_stream_id(CommandCall& call, std::string_view text, std::uint64_t sequence, StreamId& id) {
  const auto read = parse_stream_id(text, sequence);
  if (!read) {
    call.reply.error("ERR Invalid stream ID specified as stream command argument");
    return false;
  }
  id = *read;
  return true;
}

std::string stream_id_text(StreamId id) { return fmt::format("{}-{}", id.ms, id.sequence); }

std::optional<StreamId> id_behind(StreamId id) {
  if (id == highest_id) return std::nullopt;
  if (id.sequence != highest_id.sequence) return StreamId{id.ms, id.sequence + 1};
  return StreamId{id.ms + 1, 0};
}

std::optional<StreamId> id_before(StreamId id) {
  if (id == StreamId{}) return std::nullopt;
  if (id.sequence != 0) return StreamId{id.ms, id.sequence - 1};
  return StreamId{id.ms - 1, highest_id.sequence};
}

}  // namespace cohsim::valkey
