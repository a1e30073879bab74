// The writes that the source of truth took, by name: what oracles of reads and of convergence compare with.
#pragma once

#include "properties/oracles/support.h"

namespace cohsim::oracles {

struct Write {
  std::uint64_t serial = 0;
  TimeUs at = 0;
  std::string version, value;
};

/// All writes of one name, in the order of the source of truth.
class NameWrites {
 public:
  void add(Write write);
  [[nodiscard]] const Write& last() const { return writes_.back(); }
  [[nodiscard]] const std::string& newest_version() const { return newest_; }
  /// The last write of that value; null: nobody wrote it. Where a value was written twice the later write is meant, so
  /// that nobody is blamed for a doubt.
  [[nodiscard]] const Write* of_value(std::string_view value) const;
  [[nodiscard]] const Write* of_version(std::string_view version) const;
  /// The write behind it; null: none yet.
  [[nodiscard]] const Write* after(const Write& write) const;
  /// One of those after `write` that is not newer than `version`; null: none.
  [[nodiscard]] const Write* later_but_not_newer(const Write& write, std::string_view version) const;

 private:
  std::vector<Write> writes_;
  std::string newest_;
  std::map<std::string, std::size_t, std::less<>> by_value_;
};

using Writes = ByName<NameWrites>;  // node 0

inline void note_write(Writes& writes, const When& when, const event::Committed& event) {
  writes[{0, event.table.index, event.id}].add(
      {event.serial, when.at, std::string(event.version), std::string(event.value)});
}

}  // namespace cohsim::oracles
