// Our own generator: counter based, so that pick k of a stream never depends on what other streams drew.
//
// Not the standard library's: its distributions give other numbers on other standard libraries, and an engine with one
// state would let one more draw in one place shift every later one. Literal outputs are pinned in random_test.cpp.
#pragma once

#include <cstdint>

namespace cohsim {

/// SplitMix64's finaliser (Steele, Lea, Flood, OOPSLA 2014): a bijection on 64 bits that passes as random.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15ULL;

/// The start of stream (site, actor) under `seed`.
[[nodiscard]] constexpr std::uint64_t stream_key(std::uint64_t seed, std::uint64_t site, std::uint64_t actor) {
  return mix64(mix64(seed + golden_gamma) ^ mix64(site * golden_gamma + 1) ^ mix64((actor + 1) * 0xd1342543de82ef95ULL));
}

/// Draw k of the stream: SplitMix64 started at `key`.
[[nodiscard]] constexpr std::uint64_t draw(std::uint64_t key, std::uint64_t k) {
  return mix64(key + (k + 1) * golden_gamma);
}

/// Scales a 64-bit draw to 0..n-1 by its high bits (Lemire 2019, without rejection: the bias is below n/2^64).
[[nodiscard]] constexpr std::uint64_t scale(std::uint64_t bits, std::uint64_t n) {
  // The high 64 bits of bits*n, from 32-bit halves: no 128-bit type in standard C++.
  const std::uint64_t bits_low = bits & 0xffffffffULL, bits_high = bits >> 32;
  const std::uint64_t n_low = n & 0xffffffffULL, n_high = n >> 32;
  const std::uint64_t middle = bits_high * n_low + ((bits_low * n_low) >> 32);
  const std::uint64_t carry = bits_low * n_high + (middle & 0xffffffffULL);
  return bits_high * n_high + (middle >> 32) + (carry >> 32);
}

}  // namespace cohsim
