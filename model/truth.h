// The source of truth: the database behind the caches. Commits are atomic and survive everything.
#pragma once

#include <map>
#include <string>

#include "model/world_view.h"

namespace cohsim {

class SourceOfTruth {
 public:
  /// Answers the commit's serial number, counting from 1 over the whole run.
  std::uint64_t commit(std::uint16_t table, const std::string& id, const std::string& value,
                       const std::string& version) {
    rows_[{table, id}] = Truth{value, version, ++serial_};
    return serial_;
  }
  /// The newest committed write of a name; null when there is none.
  [[nodiscard]] const Truth* find(std::uint16_t table, std::string_view id) const {
    const auto found = rows_.find({table, std::string(id)});
    return found == rows_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::pair<std::uint16_t, std::string>, Truth> rows_;
  std::uint64_t serial_ = 0;
};

}  // namespace cohsim
