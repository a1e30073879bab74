#include "lua/dialect_facts.h"

#include <array>

#include "lua/number_text.h"

namespace cohsim::lua {

namespace {

constexpr std::array<DialectFacts, dialect_count> table = {
    DialectFacts{
        .is_valkey = true,
        .redis_version = "7.2.4",  // the version that Valkey names as the one it is compatible with
        .redis_version_number = 0x00070204,
        .no_arguments = "Please specify at least one argument for this call",
        .bad_argument = "Command arguments must be strings or integers",
        .log_arity = "server.log() requires two arguments or more.",
        .log_level = "Invalid log level.",
        .setresp_arity = "server.setresp() requires one argument.",
        .set_repl_arity = "server.set_repl() requires one argument.",
        .unknown_to_acl = "Invalid command passed to server.acl_check_cmd()",
        .argument_text = argument_text,
        .double_text = shortest_text,
    },
    DialectFacts{
        .is_valkey = false,
        .redis_version = "7.0.15",
        .redis_version_number = 0x0007000F,
        .no_arguments = "Please specify at least one argument for this redis lib call",
        .bad_argument = "Lua redis lib command arguments must be strings or integers",
        .log_arity = "redis.log() requires two arguments or more.",
        .log_level = "Invalid debug level.",
        .setresp_arity = "redis.setresp() requires one argument.",
        .set_repl_arity = "redis.set_repl() requires two arguments.",
        .unknown_to_acl = "Invalid command passed to redis.acl_check_cmd()",
        .argument_text = long_text,
        .double_text = long_text,
    },
};

}  // namespace

const DialectFacts& facts_of(Dialect dialect) { return table[static_cast<std::size_t>(dialect)]; }

}  // namespace cohsim::lua
