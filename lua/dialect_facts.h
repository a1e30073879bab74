// Internal to lua/: everything that differs between the dialects, in one table.
#pragma once

#include <string>

#include "lua/dialect.h"

namespace cohsim::lua {

struct DialectFacts {
  bool is_valkey;  ///< has the globals `os` and `server`, and the fields SERVER_NAME, VALKEY_…
  const char* redis_version;
  int redis_version_number;
  // Texts of errors.
  const char* no_arguments;
  const char* bad_argument;
  const char* log_arity;
  const char* log_level;
  const char* setresp_arity;
  const char* set_repl_arity;
  const char* unknown_to_acl;
  /// A number as an argument of a command, and in a reply {double=}.
  std::string (*argument_text)(double);
  std::string (*double_text)(double);
};

[[nodiscard]] const DialectFacts& facts_of(Dialect dialect);

}  // namespace cohsim::lua
