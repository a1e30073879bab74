#include "sim/valkey/commands/waiting.h"

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

namespace {

std::optional<long double> read_seconds(std::string_view text) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const long double seconds = std::strtold(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || std::isnan(seconds)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(seconds) || seconds == 0)) return std::nullopt;
  return seconds;
}

}  // namespace

bool read_timeout(CommandCall& call, std::string_view text, std::int64_t& deadline_us) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (call.retried != nullptr) {
    deadline_us = call.retried->deadline_us;
    return true;
  }
  const auto seconds = read_seconds(text);
  if (!seconds) {
    call.reply.error("ERR timeout is not a float or out of range");
    return false;
  }
  constexpr long double ms_per_s = 1000;
  const long double span_ms = std::ceil(*seconds * ms_per_s);
  const std::int64_t now_ms = call.server.keyspace.now_ms();
  if (span_ms < 0) {
    call.reply.error("ERR timeout is negative");
    return false;
  }
  const bool endless = span_ms > static_cast<long double>(most - now_ms);
  if (endless && call.server.personality().timeout_wraps && span_ms < static_cast<long double>(most)) {
    deadline_us = 0;  // the sum with the clock wraps around to where the server never looks
    return true;
  }
  if (endless) {
    call.reply.error(call.server.personality().timeout_overflow);
    return false;
  }
  const auto deadline_ms = now_ms + static_cast<std::int64_t>(span_ms);
  deadline_us = span_ms == 0 ? 0 : deadline_ms > most / us_per_ms ? most : deadline_ms * us_per_ms;
  return true;
}

std::span<const std::string_view> keys_to_try(const CommandCall& call, std::span<const std::string_view> keys,
                                              std::string_view& storage) {
  if (call.retried == nullptr || call.server.personality().retries_all_keys) return keys;
  storage = call.retried->ready;
  return {&storage, 1};
}

void wait_for(CommandCall& call, std::span<const std::string_view> keys, std::string_view type,
              std::int64_t deadline_us) {
  if (!call.may_block) return call.reply.null_array();
  Blocked waits;
  waits.command = &call.command;
  waits.database = call.server.keyspace.database();
  waits.keys.assign(keys.begin(), keys.end());
  waits.type = type;
  waits.deadline_us = deadline_us;
  call.client.waits = std::move(waits);
  call.server.blocking.add(call.client);
}

}  // namespace cohsim::valkey
