#include "sim/valkey/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
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

/// Open addressing over all tables; a name stands in one of them.
class Index {
 public:
  Index() {
    for (const auto table : {bit_commands(), channel_commands(), client_commands(), cluster_commands(), command_commands(),
                             common_text_commands(), config_commands(), connection_commands(), database_commands(),
                             expiry_commands(), function_commands(), handshake_commands(), hash_commands(),
                             introspection_commands(), key_commands(), list_commands(), list_edit_commands(),
                             list_move_commands(), list_pop_commands(), member_scan_commands(), memory_commands(), object_commands(),
                             random_commands(), scan_commands(), script_commands(), set_commands(),
                             sorted_algebra_commands(), sorted_pop_commands(), sorted_range_commands(),
                             sorted_set_commands(), stream_commands(), string_commands(),
                             string_edit_commands(), transaction_commands(), unsimulated_commands()}) {
      for (const Command& command : table) add(command);
    }
  }

  [[nodiscard]] std::vector<const Command*> all() const {
    std::vector<const Command*> found;
    for (const Command* const command : places_) {
      if (command != nullptr) found.push_back(command);
    }
    std::sort(found.begin(), found.end(), [](const Command* one, const Command* other) { return one->name < other->name; });
    return found;
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
    if (find(command.name) != nullptr) throw std::logic_error(fmt::format("{} stands in two tables", command.name));
    std::size_t slot = slot_of(command.name);
    while (places_[slot] != nullptr) slot = (slot + 1) % slots;
    places_[slot] = &command;
  }

  std::array<const Command*, slots> places_{};
};

const Index& index() {
  static const Index made;
  return made;
}

}  // namespace

const Command* find_command(std::string_view name) { return index().find(name); }
std::vector<const Command*> all_commands() { return index().all(); }

const Command* find_subcommand(const Command& container, std::string_view name) {
  for (const Command& subcommand : container.subcommands) {
    if (is_word(name, subcommand.name.substr(container.name.size() + 1))) return &subcommand;
  }
  return nullptr;
}

void reply_lines(CommandCall& call, std::initializer_list<std::string_view> lines) {
  call.reply.array(lines.size());
  for (const std::string_view line : lines) call.reply.status(line);
}

std::string c_text(std::string_view text) {
  std::string line(text.substr(0, text.find('\0')));
  for (char& letter : line) {
    if (letter == '\r' || letter == '\n') letter = ' ';
  }
  return line;
}

bool check_client_text(CommandCall& call, std::string_view what, std::string_view text) {
  for (const char letter : text) {
    if (letter >= '!' && letter <= '~') continue;
    call.reply.error(
        call.reply.keep(std::string("ERR ").append(what).append(" cannot contain spaces, newlines or special characters.")));
    return false;
  }
  return true;
}

std::string wrong_arity(const Command& command) {
  return fmt::format("ERR wrong number of arguments for '{}' command", lower_case(command.name));
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
