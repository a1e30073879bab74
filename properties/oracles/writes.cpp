#include "properties/oracles/writes.h"

namespace cohsim::oracles {

void NameWrites::add(Write write) {
  if (newest_.empty() || is_newer(write.version, newest_)) newest_ = write.version;
  by_value_[write.value] = writes_.size();
  writes_.push_back(std::move(write));
}

const Write* NameWrites::of_value(std::string_view value) const {
  const auto found = by_value_.find(value);
  return found == by_value_.end() ? nullptr : &writes_[found->second];
}

// Lately written versions are the ones asked for.
const Write* NameWrites::of_version(std::string_view version) const {
  for (auto write = writes_.rbegin(); write != writes_.rend(); ++write) {
    if (write->version == version) return &*write;
  }
  return nullptr;
}

const Write* NameWrites::after(const Write& write) const {
  const auto next = static_cast<std::size_t>(&write - writes_.data()) + 1;
  return next < writes_.size() ? &writes_[next] : nullptr;
}

const Write* NameWrites::later_but_not_newer(const Write& write, std::string_view version) const {
  for (const Write* next = after(write); next != nullptr; next = after(*next)) {
    if (!is_newer(next->version, version)) return next;
  }
  return nullptr;
}

}  // namespace cohsim::oracles
