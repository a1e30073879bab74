// Rows by the type that a command wants.
#pragma once

#include <span>
#include <string_view>

#include "sim/valkey/command.h"
#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

/// The live row's collection of type T, null where there is no row. False, with WRONGTYPE written, where the row holds
/// something else.
template <class T>
bool find_typed(CommandCall& call, std::string_view key, const T*& value) {
  const Row* const row = call.server.keyspace.find(key);
  value = row == nullptr ? nullptr : row->as<T>();
  if (row == nullptr || value != nullptr) return true;
  call.reply.error(errors::wrong_type);
  return false;
}

/// The same for a string: its row, which keeps its deadline beside its bytes.
inline bool find_string(CommandCall& call, std::string_view key, const Row*& row) {
  row = call.server.keyspace.find(key);
  if (row == nullptr || row->is_string()) return true;
  call.reply.error(errors::wrong_type);
  return false;
}

/// The first of several keys that holds a T, with its key; null where none does. False, with WRONGTYPE written, where
/// one before it holds something else.
template <class T>
bool find_first(CommandCall& call, std::span<const std::string_view> keys, std::string_view& key, const T*& value) {
  value = nullptr;
  for (const std::string_view candidate : keys) {
    if (!find_typed(call, candidate, value)) return false;
    key = candidate;
    if (value != nullptr) return true;
  }
  return true;
}

/// "string", "list", "set", "zset", "hash", "stream"; "none" of no row.
[[nodiscard]] std::string_view type_name(const Row* row);

}  // namespace cohsim::valkey
