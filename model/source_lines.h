// Where the keys of a scenario stand in its source: a lexical scan, since Lua forgets lines once a table is built.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cohsim {

/// Lines of one `scenario { … }`, by path of key: "faults.messages.delay", "nodes[2]".
struct KeyLines {
  int line = 0;  ///< of the opening brace
  std::map<std::string, int, std::less<>> keys;

  /// The key's line; when its table was built elsewhere, that of the nearest table around it that is known.
  [[nodiscard]] int of(std::string_view path) const;
};

/// Every `scenario {` of a Lua text, in order. Never fails: what it does not understand has no lines.
[[nodiscard]] std::vector<KeyLines> scan_key_lines(std::string_view text);

}  // namespace cohsim
