// What `cohsim explain` says beside properties: weak points of a deployment, how to see them and how to mend them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cohsim {

struct Topic {
  std::string_view name;      ///< of the hazard scenario that shows it
  std::string_view happens;   ///< what goes wrong
  std::string_view check;     ///< how an operator sees whether a server has it
  std::string_view mend;      ///< what makes it hold, best first
  std::string_view scenario;  ///< path of the scenario that shows it, from the root of the tree
  std::string_view counterpart;  ///< and of the one that shows the mend
};

/// In name order.
[[nodiscard]] const std::vector<Topic>& all_topics();
[[nodiscard]] const Topic* find_topic(std::string_view name);
/// The page that `explain` prints.
[[nodiscard]] std::string topic_text(const Topic& topic);

}  // namespace cohsim
