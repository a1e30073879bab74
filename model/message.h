// The 29-byte message of coherence, the keys of L2, and the frame of a row (domain.md section 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cohsim {

inline constexpr std::size_t message_size = 29;

struct CoherenceMessage {
  std::string id;
  std::string version;
  friend bool operator==(const CoherenceMessage&, const CoherenceMessage&) = default;
};

/// `id ":" version`. Requires two branded ids; throws std::invalid_argument otherwise.
[[nodiscard]] std::string to_bytes(const CoherenceMessage& message);
/// Refuses every other length, another separator, and either half not a branded id.
[[nodiscard]] std::optional<CoherenceMessage> parse_message(std::string_view bytes);

/// `ecc:{<table>}:<id>`; throws std::invalid_argument for an id that is none, before anything reaches the wire.
[[nodiscard]] std::string l2_key(std::string_view table, std::string_view id);
/// `ecc:{<table>}:coh`
[[nodiscard]] std::string broadcast_channel(std::string_view table);
/// `ecc.coh.<table>`, and with a node `ecc.coh.<table>.<node>`
[[nodiscard]] std::string job_queue(std::string_view table, std::string_view node = {});

/// What `after_drop = "floor"` leaves behind and `fill_write = "lease"` hands out, beside the row and in its hash slot:
/// `ecc.floor:{<table>}:<id>`, `ecc.lease:{<table>}:<id>`. Not below `ecc:{<table>}:`, where every key is a row.
[[nodiscard]] std::string floor_key(std::string_view table, std::string_view id);
[[nodiscard]] std::string lease_key(std::string_view table, std::string_view id);
inline constexpr std::int64_t floor_ms = 10'000;  ///< how long a floor stays; a fill that takes longer passes it
inline constexpr std::int64_t fill_lease_ms = 10'000;  ///< a fill that takes longer is refused

/// A row of L2: 14-byte version, then the value.
struct Frame {
  std::string version;
  std::string value;
  friend bool operator==(const Frame&, const Frame&) = default;
};
[[nodiscard]] std::string to_bytes(const Frame& frame);
/// nullopt when shorter than a version: a corrupt frame. The version's bytes are not judged.
[[nodiscard]] std::optional<Frame> parse_frame(std::string_view bytes);

}  // namespace cohsim
