// The order theorem: payloads in byte order are snowflakes in numeric order, so that comparing bytes is comparing mints.
#include <algorithm>
#include <vector>

#include "model/message.h"
#include "properties/generators.h"
#include "properties/rapid.h"
#include "testing/catch.h"

using namespace cohsim;

namespace {

constexpr Snowflake eleventh_digit = 839'299'365'868'340'224;  // 62^10: minted at 2030-05-05T00:36:02Z

std::string payload(Snowflake number) { return brand("USR", number).substr(namespace_size); }

/// By unsigned bytes, without the library's own comparison of strings.
int compare_bytes(const std::string& a, const std::string& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const int difference = static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i]);
    if (difference != 0) return difference;
  }
  return static_cast<int>(a.size()) - static_cast<int>(b.size());
}

int compare_numbers(Snowflake a, Snowflake b) { return a < b ? -1 : a > b ? 1 : 0; }
int sign(int number) { return compare_numbers(static_cast<Snowflake>(number + 256), 256); }

/// Whether the two texts differ at one place only, and there in the case of a letter.
bool case_apart(const std::string& a, const std::string& b) {
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin());
  return left != a.end() && (*left ^ *right) == 0x20 && std::equal(left + 1, a.end(), right + 1);
}

}  // namespace

TEST_CASE("order theorem: byte order of payloads is numeric order of snowflakes") {
  Reached reached;
  check_property("bytes compare as numbers, and newer ignores the namespace", [&] {
    const Snowflake a = *generate::snowflake();
    const Snowflake b = *rc::gen::oneOf(generate::snowflake(), generate::near(a));
    if (case_apart(payload(a), payload(b))) reached.note("apart in the case of a letter");
    if (a == b) reached.note("equal");
    if (std::min(a, b) == 0) reached.note("minimum");
    if (std::max(a, b) == max_snowflake) reached.note("maximum");
    if ((a < eleventh_digit) != (b < eleventh_digit)) reached.note("across the eleventh digit");
    if (a >> 12 != b >> 12 && a + 1 == b) reached.note("the sequence rolls over");
    if (a >> 22 != b >> 22 && a + 1 == b) reached.note("the millisecond rolls over");
    RC_ASSERT(sign(compare_bytes(payload(a), payload(b))) == compare_numbers(a, b));
    const std::string first = brand(*generate::name_space(), a), second = brand(*generate::name_space(), b);
    RC_ASSERT(newer(first, second) == (a > b));
    RC_ASSERT(newer(second, first) == (b > a));
  }, {20'000, 100});
  reached.require({"apart in the case of a letter", "equal", "minimum", "maximum", "across the eleventh digit",
                   "the sequence rolls over", "the millisecond rolls over"});
}

TEST_CASE("order theorem: the growth of the eleventh digit in 2030 keeps the order") {
  // The last millisecond of ten digits is shared by both lengths: only the padding keeps them in order.
  const std::int64_t wall_ms = snowflake_epoch_ms + static_cast<std::int64_t>(eleventh_digit >> 22);
  REQUIRE(wall_ms / 1000 == 1'904'171'762);  // 2030-05-05T00:36:02Z
  REQUIRE(payload(eleventh_digit - 1) == "0zzzzzzzzzz");
  REQUIRE(payload(eleventh_digit) == "10000000000");
  REQUIRE(newer("AAA10000000000", "ZZZ0zzzzzzzzzz"));
}

TEST_CASE("order theorem: newer is a strict order of any bytes by their payloads") {
  check_property("newer compares bytes 4 to 14 of whatever it gets", [] {
    const auto text = rc::gen::oneOf(generate::branded(), generate::nearly_branded(), generate::bytes(0, 20));
    const std::string a = *text, b = *text;
    const auto part = [](const std::string& id) { return id.size() < 3 ? std::string() : id.substr(3, 11); };
    RC_ASSERT(newer(a, b) == (compare_bytes(part(a), part(b)) > 0));
    RC_ASSERT_FALSE(newer(a, b) && newer(b, a));
  }, {3'000, 100});
}

TEST_CASE("order theorem: one generator mints upwards whatever its clock does") {
  Reached reached;
  check_property("mints grow, keep the node, and follow the clock when it is ahead", [&] {
    const auto node = *rc::gen::inRange<std::uint16_t>(0, 1024);
    const auto start_ms = *rc::gen::element<std::int64_t>(0, 1'767'225'600'000, 1'904'171'762'000, (1LL << 41) - 1);
    // (step of the clock, mints after it): bursts above 4096 run ahead of the clock.
    using Part = std::pair<std::int64_t, int>;
    const auto part = rc::gen::pair(rc::gen::inRange<std::int64_t>(-5, 20),
                                    rc::gen::weightedOneOf<int>({{9, rc::gen::inRange(1, 5)}, {1, rc::gen::just(4'200)}}));
    const auto parts = *rc::gen::resize(20, rc::gen::container<std::vector<Part>>(part));
    Mint mint(node);
    std::optional<Snowflake> last;
    std::int64_t wall_ms = start_ms;
    for (const auto& [step_ms, mints] : parts) {
      wall_ms += step_ms;
      for (int i = 0; i < mints; ++i) {
        const Snowflake number = mint.mint(wall_ms);
        const std::int64_t since = std::max<std::int64_t>(0, wall_ms - snowflake_epoch_ms);
        const Snowflake first_of_now = static_cast<Snowflake>(since) << 22 | Snowflake{node} << 12;
        RC_ASSERT((number >> 12 & 0x3ff) == node);
        if (!last || first_of_now > *last) {
          RC_ASSERT(number == first_of_now);
        } else {
          reached.note((*last & 0xfff) == 0xfff ? "rolled over" : step_ms < 0 ? "stepped back" : "same millisecond");
          const Snowflake next_cell = (*last >> 22 << 12 | (*last & 0xfff)) + 1;
          RC_ASSERT(number > *last);
          RC_ASSERT(((number >> 22 << 12) | (number & 0xfff)) == next_cell);
        }
        last = number;
      }
    }
  }, {300, 100});
  reached.require({"rolled over", "stepped back", "same millisecond"});
}
