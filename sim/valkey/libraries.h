// The libraries of functions that FUNCTION LOAD has brought.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lua/function_library.h"

namespace cohsim::valkey {

struct Library {
  std::string code;
  std::shared_ptr<lua::FunctionLibrary> loaded;
};

/// Names of libraries are exact; those of functions are unique among all libraries, in any case of letters.
class Libraries {
 public:
  using ByName = std::map<std::string, Library, std::less<>>;

  [[nodiscard]] const ByName& all() const { return state_.libraries; }
  [[nodiscard]] std::size_t function_count() const { return state_.functions.size(); }
  [[nodiscard]] bool knows(std::string_view library) const { return state_.libraries.contains(library); }
  /// By its name in any case; null where there is none. Valid until the next change.
  [[nodiscard]] const lua::LibraryFunction* find(std::string_view function) const;
  /// The function of a library that another one has already; null where all are new. A library of the same name, which
  /// this one would replace, does not count.
  [[nodiscard]] const lua::LibraryFunction* clash(std::string_view name, const lua::FunctionLibrary& library) const;
  /// Puts a library in place of one of the same name.
  void put(const std::string& name, Library library);
  /// False where there is none.
  bool erase(std::string_view name);
  void clear();

  /// Between the two, changes are taken back at the end.
  void begin_rehearsal() { rehearsing_ = true; }
  void roll_back();

 private:
  struct State {
    ByName libraries;
    std::map<std::string, const lua::LibraryFunction*, std::less<>> functions;  ///< by their names in lower case
  };

  void before_change();

  State state_;
  bool rehearsing_ = false;
  std::optional<State> saved_;
};

}  // namespace cohsim::valkey
