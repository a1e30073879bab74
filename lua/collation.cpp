#include "lua/collation.h"

#include <locale.h>

#include <stdexcept>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace cohsim::lua {

namespace {

bool is_byte_order(const std::string& locale) { return locale == "C" || locale == "POSIX"; }

locale_t open_locale(const std::string& locale) {
  // An empty name would mean "from the environment", which no run may depend on.
  if (locale.empty() || locale.find('\0') != std::string::npos) return nullptr;
#ifdef __SANITIZE_ADDRESS__
  // glibc's newlocale never frees the search path that it makes of LOCPATH.
  const __lsan::ScopedDisabler known_leak;
#endif
  return newlocale(LC_COLLATE_MASK, locale.c_str(), nullptr);
}

}  // namespace

bool available(const std::string& locale) {
  if (is_byte_order(locale)) return true;
  const locale_t opened = open_locale(locale);
  if (opened == nullptr) return false;
  freelocale(opened);
  return true;
}

Collation::Collation(const std::string& locale) {
  if (is_byte_order(locale)) return;
  locale_ = open_locale(locale);
  if (locale_ == nullptr) throw std::invalid_argument("locale '" + locale + "' is not available on this machine");
}

Collation::~Collation() {
  if (locale_ != nullptr) freelocale(static_cast<locale_t>(locale_));
}

Collation::Guard::Guard(const Collation& collation) {
  if (collation.locale_ != nullptr) previous_ = uselocale(static_cast<locale_t>(collation.locale_));
}

Collation::Guard::~Guard() {
  if (previous_ != nullptr) uselocale(static_cast<locale_t>(previous_));
}

}  // namespace cohsim::lua
