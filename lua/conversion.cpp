// Values between Lua and replies, both ways (script_lua.c: luaReplyToRedisReply and redisProtocolToLuaType).
#include <cmath>
#include <lua5.1/lua.hpp>

#include "lua/engine.h"

namespace cohsim::lua {

namespace {

constexpr int depth_max = 1000;
constexpr std::size_t tokens_max = 1'000'000;

using Kind = ReplyBuffer::Kind;

std::string_view text_at(lua_State* state, int index) {
  std::size_t bytes = 0;
  const char* const text = lua_tolstring(state, index, &bytes);
  return {text, bytes};
}

std::int64_t whole_of(lua_Number number) {
  // What x86's conversion gives for NaN and for what lies out of range.
  if (!(number >= -0x1p63 && number < 0x1p63)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

/// Pushes table.field read raw where it has the type; else pushes nothing.
bool push_field(lua_State* state, const char* name, int type) {
  lua_pushstring(state, name);
  lua_rawget(state, -2);
  if (lua_type(state, -1) == type) return true;
  lua_pop(state, 1);
  return false;
}

class Writer {
 public:
  Writer(lua_State* state, ReplyBuffer& reply) : state_(state), reply_(reply) {}

  void write(int depth) {
    if (depth > depth_max || reply_.size() > tokens_max || lua_checkstack(state_, 6) == 0) {
      refuse();
      return;
    }
    switch (lua_type(state_, -1)) {
      case LUA_TSTRING: reply_.bulk(text_at(state_, -1)); break;
      case LUA_TNUMBER: reply_.integer(whole_of(lua_tonumber(state_, -1))); break;
      case LUA_TBOOLEAN: write_boolean(lua_toboolean(state_, -1) != 0); break;
      case LUA_TTABLE:
        if (!write_marked(depth)) write_array(depth);
        break;
      default: reply_.nil(); break;
    }
    lua_pop(state_, 1);
  }

 private:
  void write_boolean(bool value) {
    if (engine_of(state_).resp == 3) {
      reply_.boolean(value);
    } else if (value) {
      reply_.integer(1);
    } else {
      reply_.nil();
    }
  }

  void refuse() {
    ScriptHost* const host = engine_of(state_).host;
    if (host != nullptr)
      host->not_simulated("a reply of more than 1000 levels or 1000000 values", "the script's reply");
    reply_.error("ERR a reply of more than 1000 levels or 1000000 values is not simulated");
    lua_pop(state_, 1);
  }

  /// {err=}, {ok=}, {double=}, {big_number=}, {verbatim_string=}, {map=}, {set=}: false where it is none of them.
  bool write_marked(int depth) {
    if (push_field(state_, "err", LUA_TSTRING)) {
      std::string text = lua_tostring(state_, -1);
      while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
      reply_.error(reply_.keep(one_line(text)));
    } else if (push_field(state_, "ok", LUA_TSTRING)) {
      reply_.status(reply_.keep(one_line(lua_tostring(state_, -1))));
    } else if (push_field(state_, "double", LUA_TNUMBER)) {
      const double value = lua_tonumber(state_, -1);
      reply_.real(value, reply_.keep(engine_of(state_).facts->double_text(value)));
    } else if (push_field(state_, "big_number", LUA_TSTRING)) {
      reply_.big_number(reply_.keep(one_line(text_at(state_, -1))));
    } else if (push_field(state_, "verbatim_string", LUA_TTABLE)) {
      return write_verbatim();
    } else if (push_field(state_, "map", LUA_TTABLE)) {
      write_pairs(depth, true);
    } else if (push_field(state_, "set", LUA_TTABLE)) {
      write_pairs(depth, false);
    } else {
      return false;
    }
    lua_pop(state_, 1);
    return true;
  }

  bool write_verbatim() {
    bool written = false;
    if (push_field(state_, "format", LUA_TSTRING)) {
      std::string text(text_at(state_, -1));
      text.resize(3, ' ');  // as the protocol has it
      text += ':';
      lua_pop(state_, 1);
      if (push_field(state_, "string", LUA_TSTRING)) {
        text += text_at(state_, -1);
        reply_.verbatim(reply_.keep(std::move(text)));
        lua_pop(state_, 1);
        written = true;
      }
    }
    lua_pop(state_, 1);
    return written;
  }

  void write_pairs(int depth, bool with_values) {
    const std::size_t place = reply_.size();
    if (with_values) {
      reply_.map(0);
    } else {
      reply_.set(0);
    }
    std::size_t items = 0;
    for (lua_pushnil(state_); lua_next(state_, -2) != 0;) {
      lua_pushvalue(state_, -2);
      write(depth + 1);
      ++items;
      if (with_values) {
        write(depth + 1);
      } else {
        lua_pop(state_, 1);
      }
    }
    reply_.set_items(place, items);
  }

  void write_array(int depth) {
    const std::size_t place = reply_.size();
    reply_.array(0);
    int items = 0;
    for (;; ++items) {
      lua_rawgeti(state_, -1, items + 1);
      if (lua_isnil(state_, -1)) break;
      write(depth + 1);
    }
    lua_pop(state_, 1);
    reply_.set_items(place, static_cast<std::size_t>(items));
  }

  lua_State* state_;
  ReplyBuffer& reply_;
};

void push_marked(lua_State* state, const char* mark, std::string_view text) {
  lua_createtable(state, 0, 1);
  lua_pushlstring(state, text.data(), text.size());
  lua_setfield(state, -2, mark);
}

std::size_t push_value(lua_State* state, const std::vector<ReplyBuffer::Token>& tokens, std::size_t place);

/// {verbatim_string = {format = "txt", string = …}}
void push_verbatim(lua_State* state, std::string_view text) {
  lua_createtable(state, 0, 1);
  lua_createtable(state, 0, 2);
  lua_pushlstring(state, text.data(), 3);
  lua_setfield(state, -2, "format");
  lua_pushlstring(state, text.data() + 4, text.size() - 4);
  lua_setfield(state, -2, "string");
  lua_setfield(state, -2, "verbatim_string");
}

/// {map = {key = value}} or {set = {item = true}}; answers the place behind.
std::size_t push_named(lua_State* state, const std::vector<ReplyBuffer::Token>& tokens, std::size_t place) {
  const bool is_map = tokens[place].kind == Kind::map;
  luaL_checkstack(state, 6, "reply nested too deep");
  lua_createtable(state, 0, 1);
  lua_newtable(state);
  std::size_t next = place + 1;
  for (std::int64_t item = 0; item < tokens[place].integer; ++item) {
    next = push_value(state, tokens, next);
    if (is_map) {
      next = push_value(state, tokens, next);
    } else {
      lua_pushboolean(state, 1);
    }
    lua_settable(state, -3);
  }
  lua_setfield(state, -2, is_map ? "map" : "set");
  return next;
}

/// Pushes what a script that asked for RESP3 sees in another shape than one that did not; answers the place behind, or
/// `place` where there is nothing of the kind.
std::size_t push_resp3(lua_State* state, const std::vector<ReplyBuffer::Token>& tokens, std::size_t place) {
  const ReplyBuffer::Token& token = tokens[place];
  switch (token.kind) {
    case Kind::nil:
    case Kind::null_array: lua_pushnil(state); break;
    case Kind::boolean: lua_pushboolean(state, token.integer != 0 ? 1 : 0); break;
    case Kind::real:
      lua_createtable(state, 0, 1);
      lua_pushnumber(state, token.number);
      lua_setfield(state, -2, "double");
      break;
    case Kind::big_number: push_marked(state, "big_number", token.text); break;
    case Kind::verbatim: push_verbatim(state, token.text); break;
    case Kind::set:
    case Kind::map: return push_named(state, tokens, place);
    default: return place;
  }
  return place + 1;
}

/// Pushes the value that begins at `place` and returns the place behind it.
std::size_t push_value(lua_State* state, const std::vector<ReplyBuffer::Token>& tokens, std::size_t place) {
  if (engine_of(state).resp == 3) {
    const std::size_t next = push_resp3(state, tokens, place);
    if (next != place) return next;
  }
  const ReplyBuffer::Token& token = tokens[place];
  switch (token.kind) {
    case Kind::nil:
    case Kind::null_array: lua_pushboolean(state, 0); break;
    case Kind::boolean:
    case Kind::integer: lua_pushnumber(state, static_cast<lua_Number>(token.integer)); break;
    case Kind::status: push_marked(state, "ok", token.text); break;
    case Kind::error: push_marked(state, "err", token.text); break;
    case Kind::bulk:
    case Kind::real:
    case Kind::big_number: lua_pushlstring(state, token.text.data(), token.text.size()); break;
    case Kind::verbatim: {
      const std::string_view text = token.text.substr(4);  // behind "txt:"
      lua_pushlstring(state, text.data(), text.size());
      break;
    }
    case Kind::array:
    case Kind::set:
    case Kind::map:
    case Kind::push: {
      luaL_checkstack(state, 4, "reply nested too deep");
      lua_newtable(state);
      std::size_t next = place + 1;
      for (std::int64_t item = 1; item <= ReplyBuffer::items_of(token); ++item) {
        next = push_value(state, tokens, next);
        lua_rawseti(state, -2, static_cast<int>(item));
      }
      return next;
    }
  }
  return place + 1;
}

}  // namespace

void write_reply(lua_State* state, ReplyBuffer& reply) { Writer(state, reply).write(0); }

void push_reply(lua_State* state, const ReplyBuffer& reply) { push_value(state, reply.tokens(), 0); }

}  // namespace cohsim::lua
