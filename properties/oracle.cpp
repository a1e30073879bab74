#include "properties/oracle.h"

#include <utility>

namespace cohsim {

void Oracle::violate(const When& when, std::string sentence) {
  if (violation_) return;
  violation_ = Violation{std::string(property()), when.step, when.at, std::move(sentence)};
}

void Oracle::violate_at_end(std::string sentence) {
  if (violation_) return;
  violation_ = Violation{std::string(property()), 0, world_.now(), std::move(sentence)};
}

}  // namespace cohsim
