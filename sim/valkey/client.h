// One client of the server: what belongs to its connection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/valkey/reply.h"
#include "sim/valkey/server.h"

namespace cohsim::valkey {

struct Command;

/// Where a client stands that a blocking command has stopped.
struct Blocked {
  std::vector<std::string> args;        ///< the whole command, to be tried again
  const Command* command = nullptr;
  int database = 0;
  std::vector<std::string> keys;        ///< what it waits for
  std::int64_t deadline_us = 0;         ///< 0: for ever
  std::uint64_t since = 0;              ///< place in the order in which clients were stopped
  bool null_is_array = true;            ///< what it is answered at its deadline
};

struct Client {
  ClientId id = 0;
  Protocol protocol = Protocol::resp2;
  int database = 0;
  bool closing = false;                 ///< its connection ends behind the reply being written
  bool blocked = false;
  Blocked waits;                        ///< of a blocked one
  std::string input;                    ///< bytes received and not yet parsed
};

}  // namespace cohsim::valkey
