#include <lua5.1/lua.hpp>

#include "lua/json.h"
#include "lua/json_tokens.h"

namespace cohsim::lua {

namespace {

using Kind = JsonTokens::Kind;

class Decoder {
 public:
  Decoder(lua_State* state, const JsonSettings& settings, std::string_view text)
      : state_(state), settings_(settings), tokens_(text, settings.decode_invalid) {}

  void document() {
    tokens_.next();
    value();
    tokens_.next();
    if (tokens_.kind() != Kind::end) refuse("the end");
  }

 private:
  void refuse(const char* expected) {
    luaL_error(state_, "Expected %s but found %s at character %d", expected, tokens_.name(), tokens_.place() + 1);
  }

  /// Pushes the value that begins with the current token.
  void value() {
    switch (tokens_.kind()) {
      case Kind::string: lua_pushlstring(state_, tokens_.text().data(), tokens_.text().size()); break;
      case Kind::number: lua_pushnumber(state_, tokens_.number()); break;
      case Kind::boolean: lua_pushboolean(state_, tokens_.number() != 0 ? 1 : 0); break;
      case Kind::null: lua_pushlightuserdata(state_, nullptr); break;
      case Kind::object_begin: object(); break;
      case Kind::array_begin: array(); break;
      default: refuse("value");
    }
  }

  void descend() {
    if (++depth_ > settings_.decode_depth_max || lua_checkstack(state_, 3) == 0) {
      luaL_error(state_, "Found too many nested data structures (%d) at character %d", depth_, tokens_.consumed());
    }
    lua_newtable(state_);
    tokens_.next();
  }

  void object() {
    descend();
    if (tokens_.kind() != Kind::object_end) {
      for (;; tokens_.next()) {
        if (tokens_.kind() != Kind::string) refuse("object key string");
        lua_pushlstring(state_, tokens_.text().data(), tokens_.text().size());
        tokens_.next();
        if (tokens_.kind() != Kind::colon) refuse("colon");
        tokens_.next();
        value();
        lua_rawset(state_, -3);
        tokens_.next();
        if (tokens_.kind() == Kind::object_end) break;
        if (tokens_.kind() != Kind::comma) refuse("comma or object end");
      }
    }
    --depth_;
  }

  void array() {
    descend();
    if (tokens_.kind() != Kind::array_end) {
      for (int item = 1;; ++item, tokens_.next()) {
        value();
        lua_rawseti(state_, -2, item);
        tokens_.next();
        if (tokens_.kind() == Kind::array_end) break;
        if (tokens_.kind() != Kind::comma) refuse("comma or array end");
      }
    }
    --depth_;
  }

  lua_State* state_;
  const JsonSettings& settings_;
  JsonTokens tokens_;
  int depth_ = 0;
};

}  // namespace

void decode_json(lua_State* state, const JsonSettings& settings, std::string_view text) {
  Decoder(state, settings, text).document();
}

}  // namespace cohsim::lua
