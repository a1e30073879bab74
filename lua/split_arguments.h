// Splits a line into words as the server does for inline commands and shebangs (sds.c: sdssplitargs).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cohsim::lua {

/// Words stand between blanks. "…" may hold blanks, \n \r \t \b \a, \xHH and other escaped characters; '…' holds \' only.
/// Nothing where a quote is not closed, or is followed by something else than a blank.
[[nodiscard]] std::optional<std::vector<std::string>> split_arguments(std::string_view line);

}  // namespace cohsim::lua
