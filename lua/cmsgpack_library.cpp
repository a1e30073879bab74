// The library `cmsgpack`: its table and the packing; unpacking is in cmsgpack_unpack.cpp.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <lua5.1/lua.hpp>

#include "lua/bounded_text.h"
#include "lua/engine.h"

namespace cohsim::lua {

namespace {

/// Deeper tables are packed as nil, circular ones too.
constexpr int depth_max = 16;

class Packer {
 public:
  explicit Packer(lua_State* state) : state_(state), out_(state) {}

  /// Packs the value on top of the stack and pops it.
  void pack(int depth) {
    switch (lua_type(state_, -1)) {
      case LUA_TSTRING: {
        std::size_t bytes = 0;
        const char* const text = lua_tolstring(state_, -1, &bytes);
        put_string({text, bytes});
        break;
      }
      case LUA_TBOOLEAN: put(lua_toboolean(state_, -1) != 0 ? 0xC3 : 0xC2); break;
      case LUA_TNUMBER: put_number(lua_tonumber(state_, -1)); break;
      case LUA_TTABLE:
        if (depth == depth_max) {
          put(0xC0);
        } else {
          luaL_checkstack(state_, 6, "in function cmsgpack.pack");
          put_table(depth);
        }
        break;
      default: put(0xC0);
    }
    lua_pop(state_, 1);
  }

  void push() const { out_.push(); }

 private:
  void put(unsigned byte) { out_.append(static_cast<char>(byte)); }
  /// A mark and a big-endian number.
  void put(unsigned mark, std::uint64_t value, unsigned bytes) {
    put(mark);
    while (bytes-- > 0) put(static_cast<unsigned>(value >> (8 * bytes)) & 0xFFU);
  }

  void put_string(std::string_view text) {
    const std::size_t bytes = text.size();
    if (bytes < 32) {
      put(0xA0U | static_cast<unsigned>(bytes));
    } else if (bytes <= 0xFF) {
      put(0xD9, bytes, 1);
    } else if (bytes <= 0xFFFF) {
      put(0xDA, bytes, 2);
    } else {
      put(0xDB, bytes, 4);
    }
    out_.append(text);
  }

  void put_number(double number) {
    if (number >= -0x1p63 && number < 0x1p63 && std::trunc(number) == number) {
      put_integer(static_cast<std::int64_t>(number));
      return;
    }
    const auto narrow = static_cast<float>(number);
    if (static_cast<double>(narrow) == number) {
      std::uint32_t pattern = 0;
      std::memcpy(&pattern, &narrow, sizeof pattern);
      put(0xCA, pattern, 4);
    } else {
      std::uint64_t pattern = 0;
      std::memcpy(&pattern, &number, sizeof pattern);
      put(0xCB, pattern, 8);
    }
  }

  void put_integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    if (value >= 0) {
      if (value <= 0x7F) {
        put(static_cast<unsigned>(value));
      } else if (value <= 0xFF) {
        put(0xCC, bits, 1);
      } else if (value <= 0xFFFF) {
        put(0xCD, bits, 2);
      } else if (value <= 0xFFFFFFFF) {
        put(0xCE, bits, 4);
      } else {
        put(0xCF, bits, 8);
      }
    } else if (value >= -32) {
      put(static_cast<unsigned>(bits) & 0xFFU);
    } else if (value >= -0x80) {
      put(0xD0, bits, 1);
    } else if (value >= -0x8000) {
      put(0xD1, bits, 2);
    } else if (value >= -0x80000000LL) {
      put(0xD2, bits, 4);
    } else {
      put(0xD3, bits, 8);
    }
  }

  /// `small` is the mark for up to 15 items, `large` that of 16 bits; the next one has 32 bits.
  void put_count(unsigned small, unsigned large, std::size_t items) {
    if (items <= 15) {
      put(small | static_cast<unsigned>(items));
    } else if (items <= 0xFFFF) {
      put(large, items, 2);
    } else {
      put(large + 1, items, 4);
    }
  }

  void put_table(int depth) {
    lua_pushvalue(state_, -1);
    resolve_backing(state_, lua_gettop(state_));  // what is read past metatables
    std::size_t items = 0;
    if (looks_like_array(items)) {
      const std::size_t length = lua_objlen(state_, -1);
      put_count(0x90, 0xDC, length);
      for (std::size_t item = 1; item <= length; ++item) {
        lua_pushnumber(state_, static_cast<lua_Number>(item));
        lua_gettable(state_, -2);
        pack(depth + 1);
      }
    } else {
      put_count(0x80, 0xDE, items);
      for (lua_pushnil(state_); lua_next(state_, -2) != 0;) {
        lua_pushvalue(state_, -2);
        pack(depth + 1);
        pack(depth + 1);
      }
    }
    lua_pop(state_, 1);
  }

  /// Whether all keys are whole numbers from 1 to how many there are; counts them.
  bool looks_like_array(std::size_t& items) {
    bool whole = true;
    double last = 0;
    items = 0;
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; ++items) {
      lua_pop(state_, 1);
      const double key = lua_type(state_, -1) == LUA_TNUMBER ? lua_tonumber(state_, -1) : 0;
      if (!(key > 0 && key <= std::numeric_limits<int>::max() && std::trunc(key) == key)) whole = false;
      last = std::max(last, key);
    }
    charge_work(state_, items);
    return whole && last == static_cast<double>(items);
  }

  lua_State* state_;
  BoundedText out_;
};

int cmsgpack_pack(lua_State* state) {
  const int count = lua_gettop(state);
  if (count == 0) return luaL_argerror(state, 0, "MessagePack pack needs input.");
  if (lua_checkstack(state, count) == 0) {
    return luaL_argerror(state, 0, "Too many arguments for MessagePack pack.");
  }
  Packer packer(state);
  for (int index = 1; index <= count; ++index) {
    lua_pushvalue(state, index);
    packer.pack(0);
  }
  packer.push();
  return 1;
}

void set_text(lua_State* state, const char* name, const char* text) {
  lua_pushstring(state, text);
  lua_setfield(state, -2, name);
}

}  // namespace

void open_cmsgpack(lua_State* state) {
  lua_pushcfunction(state, cmsgpack_pack);
  lua_setfield(state, -2, "pack");
  open_cmsgpack_unpack(state);
  set_text(state, "_NAME", "cmsgpack");
  set_text(state, "_VERSION", "lua-cmsgpack 0.4.0");
  set_text(state, "_COPYRIGHT", "Copyright (C) 2012, Salvatore Sanfilippo");
  set_text(state, "_DESCRIPTION", "MessagePack C implementation for Lua");
}

}  // namespace cohsim::lua
