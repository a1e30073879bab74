// A script that takes longer than `busy-reply-threshold`, as others see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/valkey/server.h"

namespace cohsim::valkey {

/// Such a script runs to its end at once, since nobody else may look at what it does; only its reply waits for the time
/// at which it would have ended. Until then others are refused, or kill it.
struct SlowScript {
  bool runs = false;
  ClientId client = 0;              ///< whose command it is
  std::int64_t began_us = 0;
  std::int64_t busy_us = 0;         ///< from here others are answered BUSY; before, they are not heard
  std::int64_t end_us = 0;          ///< when its reply is sent
  bool of_function = false;
  bool wrote = false;               ///< cannot be killed then
  bool in_transaction = false;
  std::size_t own_at = 0;           ///< in a transaction's reply: where the script's own begins,
  std::size_t own_size = 0;         ///< and how long it is
  bool killed = false;
  std::string name;                 ///< its SHA1, or the function's name
  std::string place;                ///< "user_script:3", where it stood when it became slow
  std::vector<std::string> command;
  std::string reply;                ///< what its client will receive
  std::vector<ClientId> unheard;    ///< who has sent something before `busy_us`
};

}  // namespace cohsim::valkey
