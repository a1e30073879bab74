#include "model/identity.h"

#include <string>
#include <vector>

#include "testing/catch.h"

namespace cohsim {
namespace {

TEST_CASE("the documented vectors, both ways") {
  CHECK(brand("USR", 274'557'032'793'636'864) == "USR0KHTOWnGLuC");
  CHECK(snowflake_of("USR0KHTOWnGLuC") == 274'557'032'793'636'864U);
  CHECK(brand("USR", 320'636'799'581'945'856) == "USR0NgWEfAEJfs");
  CHECK(snowflake_of("USR0NgWEfAEJfs") == 320'636'799'581'945'856U);
}

TEST_CASE("the ends of the range") {
  CHECK(brand("AAA", 0) == "AAA00000000000");
  CHECK(brand("ZZZ", max_snowflake) == "ZZZAzL8n0Y58m7");
  CHECK(snowflake_of("ZZZAzL8n0Y58m7") == max_snowflake);
  CHECK_FALSE(snowflake_of("ZZZAzL8n0Y58m8").has_value());  // one more than 63 bits hold
  CHECK_FALSE(is_branded("USRzzzzzzzzzzz"));
  CHECK_FALSE(is_branded("USRB0000000000"));
  CHECK_THROWS_AS(brand("USR", max_snowflake + 1), std::invalid_argument);
}

TEST_CASE("what is not a branded id") {
  for (const std::string_view bytes : {"", "USR", "USR0KHTOWnGLu", "USR0KHTOWnGLuC0", "usr0KHTOWnGLuC", "US00KHTOWnGLuC",
                                       "USR0KHTOWnGL-C", "USR0KHTOWnGL C", "U\xc3\x9c" "0KHTOWnGLuC"}) {
    CAPTURE(bytes);
    CHECK_FALSE(is_branded(bytes));
  }
  CHECK_FALSE(is_branded(std::string_view("USR0KHTOWnGLu\0", 14)));
  CHECK_FALSE(is_branded("USR0KHTOWnGLu\xff"));
  CHECK_THROWS_AS(brand("Usr", 1), std::invalid_argument);
  CHECK_THROWS_AS(brand("US", 1), std::invalid_argument);
  CHECK_THROWS_AS(brand("USRS", 1), std::invalid_argument);
}

TEST_CASE("numbers come back, and padded ids order as their numbers do") {
  std::string before = brand("USR", 0);
  for (Snowflake number = 1; number < max_snowflake / 3; number = number * 3 + 1) {
    const std::string id = brand("USR", number);
    CHECK(snowflake_of(id) == number);
    CHECK(newer(id, before));
    CHECK_FALSE(newer(before, id));
    before = id;
  }
}

TEST_CASE("newer ignores the namespace, is strict, and compares unsigned bytes") {
  CHECK(newer("AAA0000000000a", "ZZZ0000000000Z"));  // 'a' is above 'Z' as a byte, whatever a locale says
  CHECK_FALSE(newer("ZZZ0000000000Z", "AAA0000000000a"));
  CHECK_FALSE(newer("AAA00000000001", "ZZZ00000000001"));
  CHECK(newer("AAA0000000000\xff", "AAA0000000000z"));
  CHECK(newer("AAA0000000000A", "AAA"));
  CHECK_FALSE(newer("AAA", "AAA0000000000A"));
  CHECK_FALSE(newer("", ""));
  // Only bytes 4..14 count: what follows a version in a frame does not.
  CHECK_FALSE(newer("AAA00000000001z", "AAA00000000001"));
}

TEST_CASE("ten digits become eleven in 2030, and padded ids order across it") {
  constexpr Snowflake ten_digits_end = 839'299'365'868'340'224;  // 62^10
  constexpr std::int64_t second = 1'904'171'762;                 // 2030-05-05T00:36:02Z
  CHECK(brand("USR", ten_digits_end - 1) == "USR0zzzzzzzzzz");
  CHECK(brand("USR", ten_digits_end) == "USR10000000000");
  CHECK(newer("USR10000000000", "USR0zzzzzzzzzz"));
  const auto first_of = [](std::int64_t unix_ms) {
    return make_snowflake(static_cast<std::uint64_t>(unix_ms - snowflake_epoch_ms), 0, 0);
  };
  CHECK(first_of(second * 1000) < ten_digits_end);
  CHECK(first_of((second + 1) * 1000) > ten_digits_end);
}

constexpr std::int64_t noon_ms = snowflake_epoch_ms + 43'200'000;

TEST_CASE("a mint carries time, node and sequence") {
  Mint mint(5);
  CHECK(mint.mint(noon_ms) == make_snowflake(43'200'000, 5, 0));
  CHECK(mint.mint(noon_ms) == make_snowflake(43'200'000, 5, 1));
  CHECK(mint.mint(noon_ms + 1) == make_snowflake(43'200'001, 5, 0));
}

TEST_CASE("mints rise without end, and run ahead of the clock above 4096 a millisecond") {
  Mint mint(1);
  Snowflake before = mint.mint(noon_ms);
  for (int i = 1; i < 10'000; ++i) {
    const Snowflake minted = mint.mint(noon_ms);
    REQUIRE(minted > before);
    before = minted;
  }
  CHECK(before == make_snowflake(43'200'002, 1, 9'999 - 2 * 4096));
  // The clock catches up with the cell, and the mints follow the clock again.
  CHECK(mint.mint(noon_ms + 1) == make_snowflake(43'200'002, 1, 10'000 - 2 * 4096));
  CHECK(mint.mint(noon_ms + 3) == make_snowflake(43'200'003, 1, 0));
}

TEST_CASE("the node number never carries into the time") {
  Mint mint(1023);
  for (int i = 0; i < 4096; ++i) REQUIRE((mint.mint(noon_ms) >> 22) == 43'200'000);
  CHECK(mint.mint(noon_ms) == make_snowflake(43'200'001, 1023, 0));
}

TEST_CASE("when the clock steps back, mints go on from the cell") {
  Mint mint(1);
  const Snowflake before = mint.mint(noon_ms);
  CHECK(mint.mint(noon_ms - 60'000) == before + 1);
  CHECK(mint.mint(0) == before + 2);  // before the epoch
}

TEST_CASE("a restart after a step back repeats the past, to the very version") {
  Mint first_life(1);
  const Snowflake used = first_life.mint(noon_ms - 60'000);
  const Snowflake newest = first_life.mint(noon_ms);
  Mint second_life(1);
  const Snowflake minted = second_life.mint(noon_ms - 60'000);
  CHECK(minted < newest);
  CHECK(minted == used);
}

TEST_CASE("a clock before the epoch counts as the epoch") {
  Mint mint(2);
  CHECK(mint.mint(-5) == make_snowflake(0, 2, 0));
  CHECK(mint.mint(snowflake_epoch_ms - 1) == make_snowflake(0, 2, 1));
}

TEST_CASE("in one millisecond, nodes order by number before they order by sequence") {
  Mint low(3), high(4);
  const Snowflake of_high = high.mint(noon_ms);
  const Snowflake first_of_low = low.mint(noon_ms);
  const Snowflake of_low = low.mint(noon_ms);  // later, and with a higher sequence
  CHECK(first_of_low < of_low);
  CHECK(of_low < of_high);
  CHECK(newer(brand("USR", of_high), brand("USR", of_low)));
}

}  // namespace
}  // namespace cohsim
