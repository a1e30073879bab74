#include "properties/generators.h"

#include <algorithm>

namespace cohsim::generate {

namespace {

constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

constexpr Snowflake power_of_62(unsigned exponent) {
  Snowflake power = 1;
  while (exponent-- > 0) power *= 62;
  return power;
}

/// `offset` from an edge, held inside the 63 bits.
Snowflake beside(Snowflake edge, std::int64_t offset) {
  if (offset < 0) return edge - std::min(edge, static_cast<Snowflake>(-offset));
  return edge + std::min(max_snowflake - edge, static_cast<Snowflake>(offset));
}

rc::Gen<Snowflake> edge() {
  return rc::gen::exec([] {
    const auto ts = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 41);
    const auto node = *rc::gen::inRange<std::uint64_t>(0, 1024);
    return *rc::gen::element<Snowflake>(0, max_snowflake, power_of_62(10),         // the eleventh digit of 2030
                                        make_snowflake(ts, node, 4095),            // the sequence rolls over
                                        make_snowflake(ts, 1023, 4095),            // the millisecond rolls over
                                        make_snowflake(ts / 62, node, 0) / 62 * 62 + 35);  // 'Z', then 'a'
  });
}

}  // namespace

rc::Gen<std::string> name_space() {
  const auto letters = rc::gen::container<std::string>(namespace_size, rc::gen::inRange<char>('A', 'Z' + 1));
  return rc::gen::weightedOneOf<std::string>({{3, rc::gen::element<std::string>("USR", "WAL", "AAA", "ZZZ")},
                                              {1, letters}});
}

rc::Gen<Snowflake> snowflake() {
  const auto any = rc::gen::inRange<Snowflake>(0, max_snowflake);
  const auto at_edge = rc::gen::exec([] {
    const Snowflake middle = *edge();
    return beside(middle, *rc::gen::inRange(-2, 3));
  });
  return rc::gen::weightedOneOf<Snowflake>({{1, any}, {1, at_edge}});
}

rc::Gen<Snowflake> near(Snowflake other) {
  return rc::gen::exec([other]() -> Snowflake {
    if (*rc::gen::inRange(0, 2) == 0) return beside(other, *rc::gen::inRange(-2, 3));
    const Snowflake power = power_of_62(*rc::gen::inRange(0U, 11U));
    const auto by = *rc::gen::element<Snowflake>(1, 26, 35);  // 26 apart: the same letter in the other case
    const bool up = *rc::gen::arbitrary<bool>();
    const Snowflake distance = power > max_snowflake / by ? max_snowflake : power * by;
    return up ? other + std::min(max_snowflake - other, distance) : other - std::min(other, distance);
  });
}

rc::Gen<std::string> branded() {
  return rc::gen::exec([] {
    const std::string name = *name_space();
    return brand(name, *snowflake());
  });
}

rc::Gen<std::string> bytes(std::size_t low, std::size_t high) {
  return rc::gen::mapcat(rc::gen::inRange(low, high + 1), [](std::size_t size) {
    return rc::gen::container<std::string>(size, rc::gen::arbitrary<char>());
  });
}

rc::Gen<std::string> nearly_branded() {
  return rc::gen::exec([] {
    std::string id = *name_space();
    for (std::size_t i = namespace_size; i < branded_size; ++i) id += digits[*rc::gen::inRange<std::size_t>(0, 62)];
    return id;
  });
}

rc::Gen<std::string> one_byte_off(const std::string& text) {
  return rc::gen::exec([text] {
    std::string mutated = text;
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    mutated[at] = static_cast<char>(text[at] + *rc::gen::inRange(1, 256));
    return mutated;
  });
}

}  // namespace cohsim::generate
