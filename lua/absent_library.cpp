// Libraries that real servers have and this one does not simulate yet: there, but every call says so.
#include <fmt/format.h>

#include <array>
#include <lua5.1/lua.hpp>
#include <span>

#include "lua/engine.h"

namespace cohsim::lua {

namespace {

struct Library {
  std::string_view name;
  std::span<const char* const> functions;
};

constexpr std::array cjson_functions = {"decode",
                                        "decode_invalid_numbers",
                                        "decode_max_depth",
                                        "encode",
                                        "encode_invalid_numbers",
                                        "encode_keep_buffer",
                                        "encode_max_depth",
                                        "encode_number_precision",
                                        "encode_sparse_array",
                                        "new"};
constexpr std::array cmsgpack_functions = {"pack", "unpack", "unpack_limit", "unpack_one"};
constexpr std::array struct_functions = {"pack", "size", "unpack"};
constexpr std::array bit_functions = {"arshift", "band", "bnot", "bor",    "bswap", "bxor",
                                      "lshift",  "rol",  "ror",  "rshift", "tobit", "tohex"};

constexpr std::array<Library, 4> libraries = {{{"cjson", cjson_functions},
                                               {"cmsgpack", cmsgpack_functions},
                                               {"struct", struct_functions},
                                               {"bit", bit_functions}}};

int refuse(lua_State* state) { raise_not_simulated(state, lua_tostring(state, lua_upvalueindex(1))); }

}  // namespace

void push_absent_library(lua_State* state, std::string_view name) {
  lua_newtable(state);
  for (const Library& library : libraries) {
    if (library.name != name) continue;
    for (const char* const function : library.functions) {
      lua_pushstring(state, fmt::format("{}.{}", name, function).c_str());
      lua_pushcclosure(state, refuse, 1);
      lua_setfield(state, -2, function);
    }
  }
}

}  // namespace cohsim::lua
