#include "sim/random.h"

#include <array>
#include <cstdint>

#include "testing/catch.h"

namespace cohsim {
namespace {

// Whoever changes one of these numbers changes every run, every seed and every pinned trace hash.
TEST_CASE("the generator's outputs are pinned") {
  CHECK(mix64(0) == 0);
  CHECK(mix64(1) == 0x5692161d100b05e5ULL);
  CHECK(mix64(0xffffffffffffffffULL) == 0xb4d055fcf2cbbd7bULL);
  CHECK(stream_key(1, 0, 0) == 0xb553849fb4d1043eULL);
  CHECK(stream_key(1, 7, 3) == 0x4f9597f47841685cULL);
  CHECK(stream_key(0xdeadbeef, 34, 63) == 0xce1e8264804988a8ULL);
  CHECK(draw(0, 0) == 0xe220a8397b1dcdafULL);  // SplitMix64's published first outputs for seed 0
  CHECK(draw(0, 1) == 0x6e789e6aa1b965f4ULL);
  CHECK(draw(0, 2) == 0x06c45d188009454fULL);
  CHECK(draw(stream_key(1, 0, 0), 0) == 0x7ff758ccee18d1a1ULL);
  CHECK(draw(stream_key(1, 0, 0), 1'000'000) == 0xc6ca56d4b19183d2ULL);
}

TEST_CASE("mix64 gives different numbers for different numbers that stand close together") {
  // It is a bijection; here only that no digit of it is mistyped into something that folds.
  for (std::uint64_t i = 0; i < 2000; ++i) {
    for (std::uint64_t bit = 0; bit < 64; bit += 7) REQUIRE(mix64(i) != mix64(i ^ (1ULL << bit)));
  }
}

TEST_CASE("scale: pinned, closed ends, and never n itself") {
  CHECK(scale(0, 10) == 0);
  CHECK(scale(0xffffffffffffffffULL, 10) == 9);
  CHECK(scale(0x8000000000000000ULL, 10) == 5);
  CHECK(scale(0x7fffffffffffffffULL, 10) == 4);
  CHECK(scale(0xe220a8397b1dcdafULL, 1'000'000) == 883'310);
  CHECK(scale(0xffffffffffffffffULL, 0xffffffffffffffffULL) == 0xfffffffffffffffeULL);
  CHECK(scale(12345, 1) == 0);
  CHECK(scale(12345, 0) == 0);
}

#ifdef __SIZEOF_INT128__
TEST_CASE("scale is the high half of the 128-bit product") {
  __extension__ using Wide = unsigned __int128;
  const std::array<std::uint64_t, 8> edges{0,           1,           2,    0xffffffffULL, 0x100000000ULL,
                                           ~0ULL - 1,   ~0ULL,       1ULL << 63};
  const auto check = [](std::uint64_t bits, std::uint64_t n) {
    REQUIRE(scale(bits, n) == static_cast<std::uint64_t>(static_cast<Wide>(bits) * n >> 64));
  };
  for (const std::uint64_t bits : edges) {
    for (const std::uint64_t n : edges) check(bits, n);
  }
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = draw(1, i), n = draw(2, i);
    check(bits, n >> (i % 64));
  }
}
#endif

TEST_CASE("draws of one stream fill every bucket about evenly") {
  constexpr std::uint64_t buckets = 16, draws = 160'000;
  for (const std::uint64_t site : {0, 1, 34}) {
    std::array<std::uint64_t, buckets> seen{};
    const std::uint64_t key = stream_key(42, site, 2);
    for (std::uint64_t k = 0; k < draws; ++k) ++seen[scale(draw(key, k), buckets)];
    // Ten thousand expected, with a deviation of about 97: five of them.
    for (const std::uint64_t count : seen) CHECK((count > 9'500 && count < 10'500));
  }
}

TEST_CASE("streams of neighbours have nothing in common") {
  // Two streams that agree in a bit of every draw would make two faults always strike together.
  const std::uint64_t a = stream_key(1, 4, 2);
  for (const std::uint64_t b : {stream_key(1, 4, 3), stream_key(1, 5, 2), stream_key(2, 4, 2), stream_key(1, 2, 4)}) {
    std::uint64_t agree = 0;
    for (std::uint64_t k = 0; k < 10'000; ++k) agree += (draw(a, k) >> 63) == (draw(b, k) >> 63);
    CHECK((agree > 4'700 && agree < 5'300));
  }
}

}  // namespace
}  // namespace cohsim
