// The table `redis` (also `server`): everything but call and pcall (script_lua.c).
#include <lua5.1/lua.hpp>

#include "lua/engine.h"
#include "lua/sha1.h"

namespace cohsim::lua {

namespace {

int redis_error_reply(lua_State* state) {
  if (lua_gettop(state) != 1 || lua_type(state, 1) != LUA_TSTRING) {
    push_error(state, "wrong number or type of arguments");
    return 1;
  }
  std::string text = lua_tostring(state, 1);
  if (text.empty() || text.front() != '-') text.insert(text.begin(), '-');
  push_error(state, text);
  return 1;
}

int redis_status_reply(lua_State* state) {
  if (lua_gettop(state) != 1 || lua_type(state, 1) != LUA_TSTRING) {
    push_error(state, "wrong number or type of arguments");
    return 1;
  }
  lua_createtable(state, 0, 1);
  lua_pushvalue(state, 1);
  lua_setfield(state, -2, "ok");
  return 1;
}

int redis_sha1hex(lua_State* state) {
  if (lua_gettop(state) != 1) raise_error(state, "wrong number of arguments");
  std::size_t bytes = 0;
  const char* const text = lua_tolstring(state, 1, &bytes);
  const std::string digits = sha1_hex(text == nullptr ? std::string_view() : std::string_view(text, bytes));
  lua_pushlstring(state, digits.data(), digits.size());
  return 1;
}

int redis_log(lua_State* state) {
  if (lua_gettop(state) < 2) raise_error(state, engine_of(state).facts->log_arity);
  if (lua_isnumber(state, 1) == 0) raise_error(state, "First argument must be a number (log level).");
  const lua_Number level = lua_tonumber(state, 1);
  if (!(level > -1 && level < 4))  // the server cuts it to an integer
    raise_error(state, engine_of(state).facts->log_level);
  return 0;
}

int redis_setresp(lua_State* state) {
  if (lua_gettop(state) != 1) raise_error(state, engine_of(state).facts->setresp_arity);
  const lua_Number version = lua_tonumber(state, 1);
  if (!(version >= 2 && version < 4)) raise_error(state, "RESP version must be 2 or 3.");
  engine_of(state).resp = version >= 3 ? 3 : 2;  // the server cuts it to an integer
  return 0;
}

int redis_set_repl(lua_State* state) {
  if (lua_gettop(state) != 1) raise_error(state, engine_of(state).facts->set_repl_arity);
  const lua_Number flags = lua_tonumber(state, 1);
  if (!(flags > -1 && flags < 4)) {
    raise_error(state, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  return 0;
}

int redis_replicate_commands(lua_State* state) {
  lua_pushboolean(state, 1);
  return 1;
}

int redis_breakpoint(lua_State* state) {
  lua_pushboolean(state, 0);
  return 1;
}

int redis_debug(lua_State*) { return 0; }

int redis_acl_check_cmd(lua_State* state) {
  if (lua_gettop(state) == 0) raise_error(state, engine_of(state).facts->no_arguments);
  for (int index = 1; index <= lua_gettop(state); ++index) {
    if (lua_isstring(state, index) == 0) raise_error(state, engine_of(state).facts->bad_argument);
  }
  if (!engine_of(state).host->knows_command(lua_tostring(state, 1))) {
    raise_error(state, engine_of(state).facts->unknown_to_acl);
  }
  lua_pushboolean(state, 1);
  return 1;
}

void set_number(lua_State* state, const char* name, lua_Number value) {
  lua_pushnumber(state, value);
  lua_setfield(state, -2, name);
}

void set_text(lua_State* state, const char* name, const char* value) {
  lua_pushstring(state, value);
  lua_setfield(state, -2, name);
}

}  // namespace

void open_log(lua_State* state) {
  lua_pushcfunction(state, redis_log);
  lua_setfield(state, -2, "log");
  set_number(state, "LOG_DEBUG", 0);
  set_number(state, "LOG_VERBOSE", 1);
  set_number(state, "LOG_NOTICE", 2);
  set_number(state, "LOG_WARNING", 3);
  const DialectFacts& facts = *engine_of(state).facts;
  set_text(state, "REDIS_VERSION", facts.redis_version);
  set_number(state, "REDIS_VERSION_NUM", facts.redis_version_number);
  if (!facts.is_valkey) return;
  set_text(state, "SERVER_NAME", "valkey");
  set_text(state, "VALKEY_VERSION", "8.0.1");
  set_number(state, "VALKEY_VERSION_NUM", 0x00080001);
}

void open_redis(lua_State* state) {
  static const luaL_Reg functions[] = {{"error_reply", redis_error_reply},
                                       {"status_reply", redis_status_reply},
                                       {"sha1hex", redis_sha1hex},
                                       {"setresp", redis_setresp},
                                       {"set_repl", redis_set_repl},
                                       {"acl_check_cmd", redis_acl_check_cmd},
                                       {nullptr, nullptr}};
  static const luaL_Reg only_in_scripts[] = {{"replicate_commands", redis_replicate_commands},
                                             {"breakpoint", redis_breakpoint},
                                             {"debug", redis_debug},
                                             {nullptr, nullptr}};
  luaL_register(state, nullptr, functions);
  if (!engine_of(state).for_libraries) luaL_register(state, nullptr, only_in_scripts);
  open_calls(state);
  open_log(state);
  set_number(state, "REPL_NONE", 0);
  set_number(state, "REPL_AOF", 1);
  set_number(state, "REPL_SLAVE", 2);
  set_number(state, "REPL_REPLICA", 2);
  set_number(state, "REPL_ALL", 3);
}

}  // namespace cohsim::lua
