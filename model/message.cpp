#include "model/message.h"

#include <stdexcept>

#include "model/identity.h"

namespace cohsim {

std::string to_bytes(const CoherenceMessage& message) {
  if (!is_branded(message.id) || !is_branded(message.version)) {
    throw std::invalid_argument("a message holds two branded ids");
  }
  return message.id + ':' + message.version;
}

std::optional<CoherenceMessage> parse_message(std::string_view bytes) {
  if (bytes.size() != message_size || bytes[branded_size] != ':') return std::nullopt;
  const std::string_view id = bytes.substr(0, branded_size), version = bytes.substr(branded_size + 1);
  if (!is_branded(id) || !is_branded(version)) return std::nullopt;
  return CoherenceMessage{std::string(id), std::string(version)};
}

namespace {

std::string key_of(std::string_view prefix, std::string_view table, std::string_view id) {
  if (!is_branded(id)) throw std::invalid_argument("a key is built from a branded id only");
  std::string key(prefix);
  key.append(":{").append(table).append("}:").append(id);
  return key;
}

}  // namespace

std::string l2_key(std::string_view table, std::string_view id) { return key_of("ecc", table, id); }
std::string floor_key(std::string_view table, std::string_view id) { return key_of("ecc.floor", table, id); }
std::string lease_key(std::string_view table, std::string_view id) { return key_of("ecc.lease", table, id); }

std::string broadcast_channel(std::string_view table) {
  return std::string("ecc:{").append(table).append("}:coh");
}

std::string job_queue(std::string_view table, std::string_view node) {
  std::string queue = std::string("ecc.coh.").append(table);
  if (!node.empty()) queue.append(".").append(node);
  return queue;
}

std::string to_bytes(const Frame& frame) {
  if (frame.version.size() != branded_size) throw std::invalid_argument("a frame begins with a version of 14 bytes");
  return frame.version + frame.value;
}

std::optional<Frame> parse_frame(std::string_view bytes) {
  if (bytes.size() < branded_size) return std::nullopt;
  return Frame{std::string(bytes.substr(0, branded_size)), std::string(bytes.substr(branded_size))};
}

}  // namespace cohsim
