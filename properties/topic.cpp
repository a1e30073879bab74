#include "properties/topic.h"

#include <fmt/format.h>

namespace cohsim {

const std::vector<Topic>& all_topics() {
  static const std::vector<Topic> topics = {
      {"locale_collation",
       "In a script `>` on strings is the server's strcoll. Versions are ordered by bytes; under a locale such as\n"
       "en_US.UTF-8, 'a' comes before 'Z', so :coherence_drop takes some older versions for newer ones: a stale\n"
       "message erases a newer row, and a newer one is refused.",
       "redis-cli EVAL \"return 'a' > 'Z' and 1 or 0\" 0    1: bytes, the server is safe    0: a locale, it is not\n"
       "redis-cli CONFIG GET locale-collate               Valkey, and Redis from 7.2 on; empty: from the environment\n"
       "tr '\\0' '\\n' < /proc/PID/environ | grep -E '^(LC_ALL|LC_COLLATE|LANG)='    what the server was started with\n"
       "Ask every server that can become the primary: replicas and spares have environments of their own.",
       "Valkey, and Redis from 7.2 on: CONFIG SET locale-collate C, and `locale-collate \"C\"` in the configuration file.\n"
       "Redis up to 7.0: start it with LC_ALL=C.\n"
       "Where nobody can vouch for the servers: a script that compares bytes, such as lua/scripts/coherence_drop_bytes.lua.",
       "scenarios/hazards/locale_collation.lua", "scenarios/guarantees/locale_bytes_compared.lua"},
  };
  return topics;
}

const Topic* find_topic(std::string_view name) {
  for (const Topic& topic : all_topics()) {
    if (topic.name == name) return &topic;
  }
  return nullptr;
}

namespace {

std::string indented(std::string_view text) {
  std::string lines = "  ";
  for (const char letter : text) {
    lines += letter;
    if (letter == '\n') lines += "  ";
  }
  return lines;
}

}  // namespace

std::string topic_text(const Topic& topic) {
  return fmt::format(
      "{}: a weak point of a deployment\n\nwhat happens\n{}\n\nhow to check a server\n{}\n\nhow to mend it\n{}\n\n"
      "see it\n  cohsim replay {} --seed 1\n  cohsim run {}\n",
      topic.name, indented(topic.happens), indented(topic.check), indented(topic.mend), topic.scenario,
      topic.counterpart);
}

}  // namespace cohsim
