#include <algorithm>
#include <lua5.1/lua.hpp>

#include "lua/host_state.h"

namespace cohsim::lua {

namespace {

const char function_refs = 0;  // its address names the registry's table of function → ref

/// A function keeps one ref however often it crosses.
FunctionRef ref_of_top(lua_State* state) {
  const int function = lua_gettop(state);
  lua_pushlightuserdata(state, const_cast<char*>(&function_refs));
  lua_rawget(state, LUA_REGISTRYINDEX);
  if (lua_isnil(state, -1)) {
    lua_pop(state, 1);
    lua_newtable(state);
    lua_pushlightuserdata(state, const_cast<char*>(&function_refs));
    lua_pushvalue(state, -2);
    lua_rawset(state, LUA_REGISTRYINDEX);
  }
  lua_pushvalue(state, function);
  lua_rawget(state, -2);
  int ref = 0;
  if (lua_isnil(state, -1)) {
    lua_pushvalue(state, function);
    ref = luaL_ref(state, LUA_REGISTRYINDEX);
    lua_pushvalue(state, function);
    lua_pushinteger(state, ref);
    lua_rawset(state, -4);
  } else {
    ref = static_cast<int>(lua_tointeger(state, -1));
  }
  lua_settop(state, function);
  return {ref};
}

int rank(const Value& key) { return key.number() != nullptr ? 0 : key.string() != nullptr ? 1 : 2; }

bool before(const Value& a, const Value& b) {
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  if (a.number() != nullptr) return *a.number() < *b.number();
  if (a.string() != nullptr) return *a.string() < *b.string();
  return *a.boolean() < *b.boolean();
}

class Reader {
 public:
  explicit Reader(lua_State* state) : state_(state), limits_(host_of(state).limits) {}

  /// The value on top of the stack, which stays.
  Value top(int depth) {
    switch (lua_type(state_, -1)) {
      case LUA_TNIL:
        return {};
      case LUA_TBOOLEAN:
        return lua_toboolean(state_, -1) != 0;
      case LUA_TNUMBER:
        return static_cast<double>(lua_tonumber(state_, -1));
      case LUA_TSTRING: {
        std::size_t size = 0;
        const char* const bytes = lua_tolstring(state_, -1, &size);
        return std::string(bytes, size);
      }
      case LUA_TFUNCTION:
        return ref_of_top(state_);
      case LUA_TTABLE:
        return table(depth);
      default:
        throw CallbackError("a value of a type that cannot be used here");
    }
  }

 private:
  Value table(int depth) {
    if (depth >= limits_.depth) {
      throw CallbackError("tables nested deeper than " + std::to_string(limits_.depth) +
                          " levels, or one that contains itself");
    }
    luaL_checkstack(state_, 8, "nested tables");
    Table made;
    for (lua_pushnil(state_); lua_next(state_, -2) != 0; lua_pop(state_, 1)) {
      if (++entries_ > limits_.entries) {
        throw CallbackError("a table of more than " + std::to_string(limits_.entries) + " entries");
      }
      lua_pushvalue(state_, -2);
      if (lua_istable(state_, -1) || lua_isfunction(state_, -1)) {
        throw CallbackError("a table or function as the key of a table");
      }
      Value key = top(depth);
      lua_pop(state_, 1);
      made.entries.emplace_back(std::move(key), top(depth + 1));
    }
    std::sort(made.entries.begin(), made.entries.end(),
              [](const auto& a, const auto& b) { return before(a.first, b.first); });
    return made;
  }

  lua_State* state_;
  const Host::Limits& limits_;
  std::size_t entries_ = 0;
};

}  // namespace

Value to_value(lua_State* state, int index) {
  luaL_checkstack(state, 8, "values");
  lua_pushvalue(state, index);
  Value value = Reader(state).top(0);
  lua_pop(state, 1);
  return value;
}

void push_value(lua_State* state, const Value& value) {
  luaL_checkstack(state, 8, "values");
  if (const auto boolean = value.boolean()) {
    lua_pushboolean(state, *boolean ? 1 : 0);
  } else if (const double* number = value.number()) {
    lua_pushnumber(state, *number);
  } else if (const std::string* text = value.string()) {
    lua_pushlstring(state, text->data(), text->size());
  } else if (const FunctionRef* function = value.function()) {
    lua_rawgeti(state, LUA_REGISTRYINDEX, function->ref);
  } else if (const Table* table = value.table()) {
    lua_newtable(state);
    for (const auto& [key, item] : table->entries) {
      push_value(state, key);
      push_value(state, item);
      lua_rawset(state, -3);
    }
  } else {
    lua_pushnil(state);
  }
}

}  // namespace cohsim::lua
