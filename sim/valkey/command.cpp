#include "sim/valkey/command.h"

#include <array>
#include <cstddef>
#include <string>

#include "sim/valkey/integer_text.h"

namespace cohsim::valkey {

namespace {

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
    for (const auto table : {channel_commands(), connection_commands(), database_commands(), expiry_commands(),
                             hash_commands(), key_commands(), object_commands(), random_commands(), scan_commands(),
                             script_commands(), string_commands(), string_edit_commands(), unsimulated_commands()}) {
      for (const Command& command : table) add(command);
    }
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

const Command* find_subcommand(const Command& container, std::string_view name) {
  for (const Command& subcommand : container.subcommands) {
    if (is_word(name, subcommand.name.substr(container.name.size() + 1))) return &subcommand;
  }
  return nullptr;
}

std::size_t announced_keys(std::string_view argument, std::size_t arguments_left) {
  const auto count = read_integer(argument);
  if (!count || *count < 0 || *count > static_cast<std::int64_t>(arguments_left)) return 0;
  return static_cast<std::size_t>(*count);
}

bool is_word(std::string_view text, std::string_view upper_case_word) {
  if (text.size() != upper_case_word.size()) return false;
  for (std::size_t place = 0; place < text.size(); ++place) {
    if (upper(text[place]) != static_cast<unsigned char>(upper_case_word[place])) return false;
  }
  return true;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(upper(letter));
  return result;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace cohsim::valkey
