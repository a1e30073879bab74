#include "sim/valkey/command.h"

#include <array>
#include <cstddef>
#include <string>

namespace cohsim::valkey {

namespace {

constexpr KeyPositions no_keys{};
constexpr KeyPositions one_key{1, 1, 1};
constexpr KeyPositions all_keys{1, -1, 1};

constexpr int channel_flags = flag_noscript | flag_in_subscribed;

constexpr std::array simulated = {
    Command{"DEL", -2, flag_write, all_keys, run_del},
    Command{"ECHO", 2, flag_none, no_keys, run_echo},
    Command{"EVAL", -3, flag_noscript, no_keys, run_eval},
    Command{"EVALSHA", -3, flag_noscript, no_keys, run_evalsha},
    Command{"EXISTS", -2, flag_none, all_keys, run_exists},
    Command{"EXPIRE", -3, flag_write, one_key, run_expire},
    Command{"EXPIREAT", -3, flag_write, one_key, run_expire},
    Command{"EXPIRETIME", 2, flag_none, one_key, run_ttl},
    Command{"FLUSHALL", -1, flag_write, no_keys, run_flushall},
    Command{"GET", 2, flag_none, one_key, run_get},
    Command{"GETDEL", 2, flag_write, one_key, run_getdel},
    Command{"KEYS", 2, flag_none, no_keys, run_keys},
    Command{"PERSIST", 2, flag_write, one_key, run_persist},
    Command{"PEXPIRE", -3, flag_write, one_key, run_expire},
    Command{"PEXPIREAT", -3, flag_write, one_key, run_expire},
    Command{"PEXPIRETIME", 2, flag_none, one_key, run_ttl},
    Command{"PING", -1, flag_in_subscribed, no_keys, run_ping},
    Command{"PTTL", 2, flag_none, one_key, run_ttl},
    Command{"PUBLISH", 3, flag_replicates, no_keys, run_publish},
    Command{"SCRIPT", -2, flag_noscript, no_keys, run_script},
    Command{"SET", -3, flag_write, one_key, run_set},
    Command{"SUBSCRIBE", -2, channel_flags, no_keys, run_subscribe},
    Command{"TIME", 1, flag_none, no_keys, run_time},
    Command{"TTL", 2, flag_none, one_key, run_ttl},
    Command{"TYPE", 2, flag_none, one_key, run_type},
    Command{"UNLINK", -2, flag_write, all_keys, run_del},
    Command{"UNSUBSCRIBE", -1, channel_flags, no_keys, run_unsubscribe},
};

constexpr std::size_t slots = 1024;

constexpr unsigned upper(char letter) {
  return static_cast<unsigned char>(letter >= 'a' && letter <= 'z' ? letter - 'a' + 'A' : letter);
}

std::size_t slot_of(std::string_view name) {
  const unsigned first = upper(name.front());
  const unsigned middle = upper(name[name.size() / 2]);
  const unsigned last = upper(name.back());
  return (first * 31 + middle * 17 + last * 7 + name.size() * 61) % slots;
}

/// Open addressing over both tables; the simulated commands come first in each chain.
class Index {
 public:
  Index() {
    for (const Command& command : simulated) add(command);
    for (const Command& command : unsimulated_commands()) add(command);
  }

  [[nodiscard]] const Command* find(std::string_view name) const {
    if (name.empty()) return nullptr;
    for (std::size_t slot = slot_of(name); places_[slot] != nullptr; slot = (slot + 1) % slots) {
      if (is_word(name, places_[slot]->name)) return places_[slot];
    }
    return nullptr;
  }

 private:
  void add(const Command& command) {
    std::size_t slot = slot_of(command.name);
    while (places_[slot] != nullptr) slot = (slot + 1) % slots;
    places_[slot] = &command;
  }

  std::array<const Command*, slots> places_{};
};

}  // namespace

const Command* find_command(std::string_view name) {
  static const Index index;
  return index.find(name);
}

bool is_word(std::string_view text, std::string_view upper_case_word) {
  if (text.size() != upper_case_word.size()) return false;
  for (std::size_t place = 0; place < text.size(); ++place) {
    if (upper(text[place]) != static_cast<unsigned char>(upper_case_word[place])) return false;
  }
  return true;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace cohsim::valkey
