#include "cli/suggest.h"

#include "model/units.h"

namespace cohsim::cli {

std::string did_you_mean(std::string_view given, const std::vector<std::string>& known) {
  const std::string meant = nearest(given, known);
  return meant.empty() ? std::string() : "; did you mean '" + meant + "'?";
}

}  // namespace cohsim::cli
