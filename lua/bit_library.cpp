// The library `bit`: operations on 32-bit numbers.
#include <array>
#include <cstdint>
#include <cstring>
#include <lua5.1/lua.hpp>

#include "lua/engine.h"

namespace cohsim::lua {

namespace {

/// The low 32 bits of the number rounded to an integer: adding 1.5 * 2^52 brings them to the end of the mantissa, and
/// gives for large, infinite and undefined numbers what the server has, too.
std::uint32_t bits_at(lua_State* state, int index) {
  const double shifted = luaL_checknumber(state, index) + 6755399441055744.0;
  std::uint64_t pattern = 0;
  std::memcpy(&pattern, &shifted, sizeof pattern);
  return static_cast<std::uint32_t>(pattern);
}

int push_bits(lua_State* state, std::uint32_t bits) {
  lua_pushnumber(state, static_cast<lua_Number>(static_cast<std::int32_t>(bits)));
  return 1;
}

template <class Operation>
int fold(lua_State* state, Operation operation) {
  std::uint32_t bits = bits_at(state, 1);
  // From the last one on, as the server does: the error names the last argument that is none.
  for (int index = lua_gettop(state); index > 1; --index) bits = operation(bits, bits_at(state, index));
  return push_bits(state, bits);
}

int bit_band(lua_State* state) {
  return fold(state, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}
int bit_bor(lua_State* state) {
  return fold(state, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}
int bit_bxor(lua_State* state) {
  return fold(state, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
}

int bit_tobit(lua_State* state) { return push_bits(state, bits_at(state, 1)); }
int bit_bnot(lua_State* state) { return push_bits(state, ~bits_at(state, 1)); }

/// Calls `operation(bits, places)`, places being 0 to 31.
template <class Operation>
int shift(lua_State* state, Operation operation) {
  const std::uint32_t bits = bits_at(state, 1);
  const std::uint32_t places = bits_at(state, 2) & 31U;
  return push_bits(state, operation(bits, places));
}

std::uint32_t rotated(std::uint32_t bits, std::uint32_t places) {
  return places == 0 ? bits : (bits << places) | (bits >> (32U - places));
}

int bit_lshift(lua_State* state) {
  return shift(state, [](std::uint32_t bits, std::uint32_t places) { return bits << places; });
}
int bit_rshift(lua_State* state) {
  return shift(state, [](std::uint32_t bits, std::uint32_t places) { return bits >> places; });
}
int bit_arshift(lua_State* state) {
  return shift(state, [](std::uint32_t bits, std::uint32_t places) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> places);
  });
}
int bit_rol(lua_State* state) {
  return shift(state, [](std::uint32_t bits, std::uint32_t places) { return rotated(bits, places); });
}
int bit_ror(lua_State* state) {
  return shift(state, [](std::uint32_t bits, std::uint32_t places) { return rotated(bits, (32U - places) & 31U); });
}

int bit_bswap(lua_State* state) {
  const std::uint32_t bits = bits_at(state, 1);
  return push_bits(state, (bits >> 24U) | ((bits >> 8U) & 0xFF00U) | ((bits & 0xFF00U) << 8U) | (bits << 24U));
}

/// tohex(x, n): the last |n| of eight digits, capital letters where n is negative.
int bit_tohex(lua_State* state) {
  std::uint32_t bits = bits_at(state, 1);
  std::int64_t count = lua_isnone(state, 2) ? 8 : static_cast<std::int32_t>(bits_at(state, 2));
  const char* const digits = count < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
  count = std::min<std::int64_t>(count < 0 ? -count : count, 8);
  std::array<char, 8> text{};
  for (std::size_t place = static_cast<std::size_t>(count); place-- > 0; bits >>= 4U) text[place] = digits[bits & 15U];
  lua_pushlstring(state, text.data(), static_cast<std::size_t>(count));
  return 1;
}

}  // namespace

void open_bit(lua_State* state) {
  static const luaL_Reg functions[] = {
      {"tobit", bit_tobit},   {"bnot", bit_bnot},     {"band", bit_band},       {"bor", bit_bor}, {"bxor", bit_bxor},
      {"lshift", bit_lshift}, {"rshift", bit_rshift}, {"arshift", bit_arshift}, {"rol", bit_rol}, {"ror", bit_ror},
      {"bswap", bit_bswap},   {"tohex", bit_tohex},   {nullptr, nullptr}};
  luaL_register(state, nullptr, functions);
}

}  // namespace cohsim::lua
