// The name of a script on the server: the SHA1 of its text.
#pragma once

#include <string>
#include <string_view>

namespace cohsim::lua {

/// SHA1 of the bytes as 40 lower-case hexadecimal digits.
[[nodiscard]] std::string sha1_hex(std::string_view bytes);

}  // namespace cohsim::lua
