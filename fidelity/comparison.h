// How two replies are compared: byte for byte, but for what differs by design.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cohsim::fidelity {

enum class Comparison : std::uint8_t {
  exact,
  unordered,  ///< the items of every array and set in any order
  pairs,      ///< the items two by two in any order
  near_s,     ///< integers are seconds and may differ by 2: the real server's clock moves
  near_ms,    ///< milliseconds, by 2000
  subset,     ///< pairs: the fake's are all among the real server's
  shape,      ///< the same types and numbers of items
  drawn,      ///< as `shape`; where the items differ the servers' states do from here on
  kind,       ///< the same type
  channel,    ///< the second of three items may differ: which channel is left first
  hello,      ///< the integer behind "id" may differ
};

/// `items` is for a reply that holds those of several commands; empty: `comparison` is for the whole reply.
struct How {
  Comparison comparison = Comparison::exact;
  std::vector<How> items;
};

enum class Verdict : std::uint8_t {
  same,
  parted,  ///< same by `drawn`: nothing behind this reply can be compared
  differs,
};

/// Both are whole frames; an empty one is a reply that did not come.
[[nodiscard]] Verdict compare(const How& how, std::string_view real, std::string_view fake);

}  // namespace cohsim::fidelity
