#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <lua5.1/lua.hpp>

#include "lua/json.h"

namespace cohsim::lua {

namespace {

using InvalidNumbers = JsonSettings::InvalidNumbers;

class Encoder {
 public:
  Encoder(lua_State* state, const JsonSettings& settings, BoundedText& out)
      : state_(state), settings_(settings), out_(out) {}

  /// Writes the value on top of the stack, inside `depth` tables.
  void value(int depth) {
    switch (lua_type(state_, -1)) {
      case LUA_TSTRING: text(); break;
      case LUA_TNUMBER: number(-1); break;
      case LUA_TBOOLEAN: out_.append(lua_toboolean(state_, -1) != 0 ? "true" : "false"); break;
      case LUA_TTABLE: table(depth + 1); break;
      case LUA_TNIL: out_.append("null"); break;
      case LUA_TLIGHTUSERDATA:
        if (lua_touserdata(state_, -1) != nullptr) refuse(-1, "type not supported");
        out_.append("null");
        break;
      default: refuse(-1, "type not supported");
    }
  }

 private:
  void refuse(int index, const char* reason) {
    luaL_error(state_, "Cannot serialise %s: %s", luaL_typename(state_, index), reason);
  }

  void text() {
    std::size_t bytes = 0;
    const char* const letters = lua_tolstring(state_, -1, &bytes);
    out_.append('"');
    for (const char letter : std::string_view(letters, bytes)) character(letter);
    out_.append('"');
  }

  void character(char letter) {
    static constexpr std::string_view plain = "\"/\\\b\t\n\f\r";
    static constexpr std::string_view escaped = "\"/\\btnfr";
    const std::size_t place = plain.find(letter);
    if (place != std::string_view::npos) {
      out_.append('\\');
      out_.append(escaped[place]);
    } else if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) {
      out_.append(fmt::format("\\u{:04x}", static_cast<unsigned>(letter)));
    } else {
      out_.append(letter);
    }
  }

  void number(int index) {
    const double value = lua_tonumber(state_, index);
    if (!std::isfinite(value)) {
      if (settings_.encode_invalid == InvalidNumbers::refuse) refuse(index, "must not be NaN or Inf");
      if (settings_.encode_invalid == InvalidNumbers::as_null) return out_.append("null");
      if (std::isnan(value)) return out_.append("nan");
    }
    std::array<char, 32> buffer{};
    const int bytes = std::snprintf(buffer.data(), buffer.size(), "%.*g", settings_.precision, value);
    out_.append({buffer.data(), static_cast<std::size_t>(bytes)});
  }

  void table(int depth) {
    if (depth > settings_.encode_depth_max || lua_checkstack(state_, 5) == 0) {
      luaL_error(state_, "Cannot serialise, excessive nesting (%d)", depth);
    }
    lua_pushvalue(state_, -1);
    resolve_backing(state_, lua_gettop(state_));
    const int length = array_length();
    if (length > 0) {
      array(length, depth);
    } else {
      object(depth);
    }
    lua_pop(state_, 1);
  }

  /// The largest index of a table whose keys are all whole numbers from 1 up; else 0 or less.
  int array_length() {
    int largest = 0;
    int items = 0;
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; ++items) {
      lua_pop(state_, 1);
      const double key = lua_type(state_, -1) == LUA_TNUMBER ? lua_tonumber(state_, -1) : 0;
      if (!(key >= 1 && std::floor(key) == key)) {
        lua_pop(state_, 1);
        return 0;
      }
      // The server keeps the largest in an int, and a key that does not fit becomes the smallest one.
      if (key > largest) largest = key < 0x1p31 ? static_cast<int>(key) : std::numeric_limits<int>::min();
    }
    charge_work(state_, static_cast<std::size_t>(items));
    if (settings_.sparse_ratio > 0 && largest > std::int64_t{items} * settings_.sparse_ratio &&
        largest > settings_.sparse_safe) {
      if (!settings_.sparse_as_object) refuse(-1, "excessively sparse array");
      return 0;
    }
    return largest;
  }

  void array(int length, int depth) {
    out_.append('[');
    for (int item = 1; item <= length; ++item) {
      if (item != 1) out_.append(',');
      lua_rawgeti(state_, -1, item);
      value(depth);
      lua_pop(state_, 1);
    }
    out_.append(']');
  }

  void object(int depth) {
    out_.append('{');
    bool first = true;
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; first = false) {
      if (!first) out_.append(',');
      const int type = lua_type(state_, -2);
      lua_pushvalue(state_, -2);
      if (type == LUA_TNUMBER) {
        out_.append('"');
        number(-1);
        out_.append('"');
      } else if (type == LUA_TSTRING) {
        text();
      } else {
        refuse(-1, "table key must be a number or string");
      }
      out_.append(':');
      lua_pop(state_, 1);
      value(depth);
      lua_pop(state_, 1);
    }
    out_.append('}');
  }

  lua_State* state_;
  const JsonSettings& settings_;
  BoundedText& out_;
};

}  // namespace

void encode_json(lua_State* state, const JsonSettings& settings, BoundedText& out) {
  Encoder(state, settings, out).value(0);
}

}  // namespace cohsim::lua
