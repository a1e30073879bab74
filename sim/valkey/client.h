// One client of the server: what belongs to its connection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/valkey/reply.h"
#include "sim/valkey/request_parser.h"
#include "sim/valkey/server.h"

namespace cohsim::valkey {

struct Command;

/// Where a client stands that a blocking command has stopped.
struct Blocked {
  std::vector<std::string> args;        ///< the whole command, to be tried again
  const Command* command = nullptr;
  int database = 0;
  std::vector<std::string> keys;        ///< what it waits for
  std::string_view type;                ///< of the value that it waits for: "list", "zset", "stream"
  std::vector<StreamId> after;          ///< of XREAD: behind which ids
  std::string ready;                    ///< the key that came, while the command is tried again
  std::int64_t deadline_us = 0;         ///< 0: for ever
  std::uint64_t since = 0;              ///< place in the order in which clients were stopped
  bool null_is_array = true;            ///< what it is answered at its deadline
  bool counts = false;                  ///< then it is answered 0 instead: WAIT
};

/// A command that MULTI holds back until EXEC.
struct Queued {
  const Command* command = nullptr;
  std::vector<std::string> args;
};

struct Transaction {
  bool open = false;              ///< between MULTI and EXEC
  bool broken = false;            ///< a command was refused: EXEC answers EXECABORT
  bool stale = false;             ///< a watched key has changed: EXEC answers null
  int flags = 0;                  ///< of all queued commands together
  std::vector<Queued> queued;
};

enum class Replies : std::uint8_t { on, off, skip_next, skip };  ///< CLIENT REPLY; `skip`: of the command that runs

/// CLIENT TRACKING of one client.
struct TrackingState {
  bool on = false;
  bool broadcast = false;
  bool opt_in = false;
  bool opt_out = false;
  bool no_loop = false;
  bool caching = false;          ///< CLIENT CACHING was the command before
  bool redirect_broken = false;
  ClientId redirect = 0;         ///< 0: to the client itself
  std::vector<std::string> prefixes;
};

struct Client {
  ClientId id = 0;
  Protocol protocol = Protocol::resp2;
  int database = 0;
  bool authenticated = false;           ///< by a password; without `requirepass` nobody needs it
  bool sends_bytes = false;             ///< a client of `receive`: what it is told goes to the Output
  Replies replies = Replies::on;
  bool replies_by_push = false;  ///< the command that runs: its reply comes whatever CLIENT REPLY says, as pushes do
  Transaction transaction;
  std::vector<std::pair<int, std::string>> watched;  ///< database and key
  TrackingState tracking;
  std::string name;
  std::string library_name;
  std::string library_version;
  bool no_evict = false;
  bool no_touch = false;
  bool pipelines = false;               ///< its command came behind another one, whose reply has not left yet
  bool debugs_scripts = false;          ///< SCRIPT DEBUG: what EVAL would then do is not simulated
  std::int64_t since_us = 0;            ///< when it came
  std::int64_t active_us = 0;           ///< when its last command ran
  std::string_view last_command;        ///< upper case, "CLIENT|LIST"; empty: none yet
  bool closing = false;                 ///< its connection ends behind the reply being written
  bool blocked = false;
  Blocked waits;                        ///< of a blocked one
  RequestReader input;                  ///< what it has sent and the server has not run yet
};

}  // namespace cohsim::valkey
