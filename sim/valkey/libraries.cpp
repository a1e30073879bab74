#include "sim/valkey/libraries.h"

#include "sim/valkey/command.h"

namespace cohsim::valkey {

const lua::LibraryFunction* Libraries::find(std::string_view function) const {
  const auto place = state_.functions.find(lower_case(function));
  return place == state_.functions.end() ? nullptr : place->second;
}

const lua::LibraryFunction* Libraries::clash(std::string_view name, const lua::FunctionLibrary& library) const {
  const auto replaced = state_.libraries.find(name);
  for (const lua::LibraryFunction& function : library.functions()) {
    const lua::LibraryFunction* const other = find(function.name);
    if (other == nullptr) continue;
    const bool goes = replaced != state_.libraries.end() && replaced->second.loaded->find(other->name) == other;
    if (!goes) return &function;
  }
  return nullptr;
}

void Libraries::put(const std::string& name, Library library) {
  before_change();
  erase(name);
  for (const lua::LibraryFunction& function : library.loaded->functions()) {
    state_.functions.emplace(lower_case(function.name), &function);
  }
  state_.libraries.emplace(name, std::move(library));
}

bool Libraries::erase(std::string_view name) {
  const auto place = state_.libraries.find(name);
  if (place == state_.libraries.end()) return false;
  before_change();
  for (const lua::LibraryFunction& function : place->second.loaded->functions()) {
    state_.functions.erase(lower_case(function.name));
  }
  state_.libraries.erase(place);
  return true;
}

void Libraries::clear() {
  before_change();
  state_ = {};
}

void Libraries::roll_back() {
  rehearsing_ = false;
  if (!saved_) return;
  state_ = std::move(*saved_);
  saved_.reset();
}

void Libraries::before_change() {
  if (rehearsing_ && !saved_) saved_ = state_;
}

}  // namespace cohsim::valkey
