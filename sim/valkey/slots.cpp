#include "sim/valkey/slots.h"

#include <cstdint>
#include <vector>

namespace cohsim::valkey {

namespace {

/// CRC16-CCITT (XModem).
unsigned crc16(std::string_view bytes) {
  unsigned crc = 0;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(byte)) << 8U;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
    crc &= 0xffffU;
  }
  return crc;
}

}  // namespace

int key_slot(std::string_view key) {
  const std::size_t open = key.find('{');
  if (open != std::string_view::npos) {
    const std::size_t close = key.find('}', open + 1);
    if (close != std::string_view::npos && close != open + 1) key = key.substr(open + 1, close - open - 1);
  }
  return static_cast<int>(crc16(key) % slot_count);
}

int command_slot(const Command& command, std::span<const std::string_view> args) {
  int slot = no_slot;
  visit_keys(command, args, [&](std::string_view key) {
    const int next = key_slot(key);
    slot = slot == no_slot || slot == next ? next : many_slots;
  });
  return slot;
}

bool crosses_slots(const Client& client, const Command& command, std::span<const std::string_view> args) {
  if (command.name != "EXEC") return command_slot(command, args) == many_slots;
  int slot = no_slot;
  for (const Queued& queued : client.transaction.queued) {
    const std::vector<std::string_view> views(queued.args.begin(), queued.args.end());
    const int next = command_slot(*queued.command, views);
    if (next == no_slot) continue;
    if (slot != no_slot && slot != next) return true;
    slot = next;
  }
  return false;
}

}  // namespace cohsim::valkey
