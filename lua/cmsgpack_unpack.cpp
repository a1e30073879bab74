// Unpacking of the library `cmsgpack`: several values may follow each other in one string.
#include <cstdint>
#include <cstring>
#include <limits>
#include <lua5.1/lua.hpp>

#include "lua/bounded_text.h"
#include "lua/engine.h"

namespace cohsim::lua {

namespace {

class Unpacker {
 public:
  Unpacker(lua_State* state, std::string_view rest) : state_(state), rest_(rest) {}

  [[nodiscard]] std::size_t left() const { return rest_.size(); }

  /// Pushes the next value.
  void value() {
    luaL_checkstack(state_, 4, "in function cmsgpack.unpack");
    const auto mark = static_cast<unsigned char>(take(1)[0]);
    if (mark < 0x80) {
      lua_pushnumber(state_, mark);
    } else if (mark < 0x90) {
      map(mark & 0xFU);
    } else if (mark < 0xA0) {
      array(mark & 0xFU);
    } else if (mark < 0xC0) {
      text(mark & 0x1FU);
    } else if (mark >= 0xE0) {
      lua_pushnumber(state_, static_cast<std::int8_t>(mark));
    } else {
      marked(mark);
    }
  }

 private:
  std::string_view take(std::size_t bytes) {
    if (bytes > rest_.size()) luaL_error(state_, "Missing bytes in input.");
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }

  std::uint64_t number(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char byte : take(bytes)) value = (value << 8U) | static_cast<unsigned char>(byte);
    return value;
  }

  void text(std::size_t bytes) {
    const std::string_view taken = take(bytes);
    lua_pushlstring(state_, taken.data(), taken.size());
  }

  void array(std::uint64_t items) {
    lua_newtable(state_);
    for (std::uint64_t item = 1; item <= items; ++item) {
      lua_pushnumber(state_, static_cast<lua_Number>(item));
      value();
      lua_settable(state_, -3);
    }
  }

  void map(std::uint64_t pairs) {
    lua_newtable(state_);
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
      value();
      value();
      lua_settable(state_, -3);
    }
  }

  template <class Real, class Pattern>
  void real() {
    const auto pattern = static_cast<Pattern>(number(sizeof(Pattern)));
    Real result = 0;
    std::memcpy(&result, &pattern, sizeof result);
    lua_pushnumber(state_, static_cast<lua_Number>(result));
  }

  void marked(unsigned mark) {
    switch (mark) {
      case 0xC0: return lua_pushnil(state_);
      case 0xC2:
      case 0xC3: return lua_pushboolean(state_, mark == 0xC3 ? 1 : 0);
      case 0xD9: return text(number(1));
      case 0xDA: return text(number(2));
      case 0xDB: return text(number(4));
      case 0xCA: return real<float, std::uint32_t>();
      case 0xCB: return real<double, std::uint64_t>();
      case 0xCC:
      case 0xCD:
      case 0xCE: return lua_pushnumber(state_, static_cast<lua_Number>(number(std::size_t{1} << (mark - 0xCC))));
      case 0xD0: return lua_pushnumber(state_, static_cast<std::int8_t>(number(1)));
      case 0xD1: return lua_pushnumber(state_, static_cast<std::int16_t>(number(2)));
      case 0xD2: return lua_pushnumber(state_, static_cast<std::int32_t>(number(4)));
      case 0xCF:  // the server takes unsigned ones for signed
      case 0xD3: return lua_pushnumber(state_, static_cast<lua_Number>(static_cast<std::int64_t>(number(8))));
      case 0xDC: return array(number(2));
      case 0xDD: return array(number(4));
      case 0xDE: return map(number(2));
      case 0xDF: return map(number(4));
      default: luaL_error(state_, "Bad data format in input.");
    }
  }

  lua_State* state_;
  std::string_view rest_;
};

/// Unpacks up to `limit` values from `offset` on, both 0 meaning all; with a limit, the next offset (-1 at the end)
/// comes first among the results.
int unpack_values(lua_State* state, int limit, int offset) {
  std::size_t bytes = 0;
  const char* const text = luaL_checklstring(state, 1, &bytes);
  if (offset < 0 || limit < 0) {
    return luaL_error(state, "Invalid request to unpack with offset of %d and limit of %d.", offset,
                      static_cast<int>(bytes));
  }
  if (static_cast<std::size_t>(offset) > bytes) {
    return luaL_error(state, "Start offset %d greater than input length %d.", offset, static_cast<int>(bytes));
  }
  charge_work(state, bytes);
  const bool all = limit == 0 && offset == 0;
  Unpacker unpacker(state, std::string_view(text, bytes).substr(static_cast<std::size_t>(offset)));
  int values = 0;
  for (; unpacker.left() > 0 && (all || values < limit); ++values) unpacker.value();
  if (all) return values;
  luaL_checkstack(state, 1, "in function cmsgpack.unpack");
  lua_pushinteger(state, unpacker.left() == 0 ? -1 : static_cast<lua_Integer>(bytes - unpacker.left()));
  lua_insert(state, 2);
  return values + 1;
}

int cmsgpack_unpack(lua_State* state) { return unpack_values(state, 0, 0); }

int cmsgpack_unpack_one(lua_State* state) {
  const int offset = static_cast<int>(luaL_optinteger(state, 2, 0));
  if (lua_gettop(state) > 1) lua_settop(state, 1);
  return unpack_values(state, 1, offset);
}

int cmsgpack_unpack_limit(lua_State* state) {
  const int limit = static_cast<int>(luaL_checkinteger(state, 2));
  const int offset = static_cast<int>(luaL_optinteger(state, 3, 0));
  if (lua_gettop(state) > 1) lua_settop(state, 1);
  return unpack_values(state, limit, offset);
}

}  // namespace

void open_cmsgpack_unpack(lua_State* state) {
  static const luaL_Reg functions[] = {{"unpack", cmsgpack_unpack},
                                       {"unpack_one", cmsgpack_unpack_one},
                                       {"unpack_limit", cmsgpack_unpack_limit},
                                       {nullptr, nullptr}};
  luaL_register(state, nullptr, functions);
}

}  // namespace cohsim::lua
