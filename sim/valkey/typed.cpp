#include "sim/valkey/typed.h"

#include <array>

namespace cohsim::valkey {

std::string_view type_name(const Row* row) {
  if (row == nullptr) return "none";
  if (row->is_string()) return "string";
  static constexpr std::array<std::string_view, 5> names = {"list", "set", "zset", "hash", "stream"};  // in the variant's order
  return names.at(row->collection->index());
}

}  // namespace cohsim::valkey
