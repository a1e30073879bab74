// One key's value with its deadline.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sim/valkey/collection.h"

namespace cohsim::valkey {

/// A row as it stands, for commands and for those who only look: oracles, traces, scenario readers. Copies share the
/// collection, which nobody changes while it is shared.
struct Row {
  /// How a string is held (OBJECT ENCODING): `by_value` follows from its bytes alone, `text` is never an integer.
  enum class Form : std::uint8_t { by_value, text, raw };

  std::string bytes;                        ///< of a string; empty where there is a collection
  std::optional<std::int64_t> deadline_ms;  ///< server wall clock, Unix milliseconds; nullopt: no expiry
  std::shared_ptr<Collection> collection{};
  Form form = Form::by_value;
  std::int64_t used_ms = 0;  ///< when a command last used it (OBJECT IDLETIME); no part of the value

  [[nodiscard]] bool is_string() const { return collection == nullptr; }
  /// Null where the value is of another type.
  template <class T>
  [[nodiscard]] const T* as() const {
    return collection == nullptr ? nullptr : std::get_if<T>(collection.get());
  }
  friend bool operator==(const Row& one, const Row& other) {
    if (one.bytes != other.bytes || one.deadline_ms != other.deadline_ms) return false;
    if (one.collection == nullptr || other.collection == nullptr) return one.collection == other.collection;
    return *one.collection == *other.collection;
  }
};

}  // namespace cohsim::valkey
