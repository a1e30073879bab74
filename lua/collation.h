// The locale that orders strings in a script: Lua 5.1 compares with strcoll, and real servers set LC_COLLATE from the
// environment (domain.md section 2).
#pragma once

#include <clocale>
#include <string>

namespace cohsim::lua {

/// Whether the machine has the locale. "C" and "POSIX" always are.
[[nodiscard]] bool available(const std::string& locale);

/// One locale's collation, all other categories being "C". Immutable; may be shared.
class Collation {
 public:
  /// Throws std::invalid_argument where the machine lacks the locale.
  explicit Collation(const std::string& locale);
  ~Collation();
  Collation(const Collation&) = delete;
  Collation& operator=(const Collation&) = delete;

  /// Makes the collation that of the calling thread while it lives; never touches the process's locale. Costs nothing
  /// for byte order ("C", "POSIX"), provided that the process itself stays in "C", as cohsim's does.
  class Guard {
   public:
    explicit Guard(const Collation& collation);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    void* previous_ = nullptr;
  };

 private:
  void* locale_ = nullptr;  ///< a locale_t; null for byte order
};

}  // namespace cohsim::lua
