// Members of sets: their form as the server would hold it, and the order in which it shows them (t_set.c).
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/valkey/collection.h"
#include "sim/valkey/config.h"

namespace cohsim::valkey {

/// Gives a set without members the form that the first member and the number of members announced ask for.
void begin_set(Set& set, std::string_view first, std::size_t announced, const FormLimits& limits);
/// False where it was there. The first member of a set decides its form, unless `begin_set` has.
bool add_member(Set& set, std::string_view member, const FormLimits& limits);
/// In the order in which the server shows them; views into the set.
[[nodiscard]] std::vector<std::string_view> members_of(const Set& set);

}  // namespace cohsim::valkey
