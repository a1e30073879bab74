// The server's own generator behind math.random: a 48-bit linear congruential generator (redis rand.c, as drand48).
#pragma once

#include <cstdint>

namespace cohsim::lua {

/// Seeded alike at every server start and not reseeded by scripts' calls; math.randomseed reaches it.
class Random48 {
 public:
  void seed(std::int32_t value) {
    state_ = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(value)) << 16U) | low;
  }
  /// 31 bits.
  std::uint32_t next() {
    state_ = (state_ * 0x5DEECE66DULL + 0xBULL) & 0xFFFFFFFFFFFFULL;
    return static_cast<std::uint32_t>(state_ >> 17U);
  }

 private:
  static constexpr std::uint64_t low = 0x330E;
  std::uint64_t state_ = 0x1234ABCD330EULL;
};

}  // namespace cohsim::lua
