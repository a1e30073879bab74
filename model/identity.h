// Branded ids and snowflakes (domain.md section 1). An id is a namespace of three A-Z and eleven Base62 digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cohsim {

/// 63 bits: ts(41) << 22 | node(10) << 12 | seq(12); ts = Unix milliseconds − snowflake_epoch_ms.
using Snowflake = std::uint64_t;

inline constexpr std::int64_t snowflake_epoch_ms = 1'704'067'200'000;  ///< 2024-01-01T00:00:00Z
inline constexpr std::size_t branded_size = 14;
inline constexpr std::size_t namespace_size = 3;
inline constexpr Snowflake max_snowflake = (Snowflake{1} << 63) - 1;

[[nodiscard]] bool is_namespace(std::string_view text);
[[nodiscard]] bool is_branded(std::string_view bytes);
/// The number behind the namespace; nullopt for whatever is not a branded id (zzzzzzzzzzz is above 2^63−1).
[[nodiscard]] std::optional<Snowflake> snowflake_of(std::string_view bytes);
/// Requires a namespace and a number of 63 bits; throws std::invalid_argument otherwise.
[[nodiscard]] std::string brand(std::string_view name_space, Snowflake snowflake);

/// Bytes 4..14 of `a` greater than bytes 4..14 of `b`, as unsigned bytes; the namespace is ignored. Either may be any
/// string: what is missing compares as the shorter.
[[nodiscard]] bool newer(std::string_view a, std::string_view b);

[[nodiscard]] constexpr Snowflake make_snowflake(std::uint64_t ts_ms, std::uint64_t node, std::uint64_t sequence) {
  return ts_ms << 22 | (node & 0x3ff) << 12 | (sequence & 0xfff);
}

/// The generator of one node. The cell is volatile: a restarted node starts with a new generator, from its clock, or from
/// a cell that it kept (`go_on_above`).
class Mint {
 public:
  explicit Mint(std::uint16_t node_number) : node_number_(node_number) {}
  /// max(now, cell + 1): monotone, running ahead of the clock under more than 4096 mints a millisecond, minting on from
  /// the cell when the clock steps back. `wall_ms` before the epoch counts as the epoch.
  [[nodiscard]] Snowflake mint(std::int64_t wall_ms);

  [[nodiscard]] std::uint64_t cell() const { return cell_; }
  /// The next cell is above this one.
  void go_on_above(std::uint64_t cell) {
    cell_ = cell;
    minted_ = true;
  }

 private:
  std::uint64_t cell_ = 0;  // ts << 12 | seq of the last mint
  bool minted_ = false;
  std::uint16_t node_number_;
};

}  // namespace cohsim
