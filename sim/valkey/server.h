// The fake Valkey: one server, one command at a time, with the real reply for the real command.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/time.h"
#include "sim/valkey/personality.h"
#include "sim/valkey/reply.h"
#include "sim/valkey/row.h"

namespace cohsim::lua {
class Interpreter;
}

namespace cohsim::valkey {

/// Names one client connection of the server; the caller hands them out and never uses one again.
using ClientId = std::uint64_t;

/// Receives what the server pushes to subscribers, in the order in which a real server would write it.
class PushSink {
 public:
  virtual ~PushSink() = default;
  virtual void push(ClientId subscriber, std::string_view channel, std::string_view payload) = 0;
};

/// Receives what the server writes to connections that speak bytes (`Server::receive`), in order.
class Output {
 public:
  virtual ~Output() = default;
  virtual void send(ClientId client, std::string_view bytes) = 0;
  /// The server ends the connection, behind all that was sent; the client is gone already.
  virtual void close(ClientId client) = 0;
};

/// Receives every change of a row of database 0, at the moment it happens. `before`/`after` are null where the row is absent; they
/// are valid during the call only. `cause` is the command's name in upper case ("DEL"), or "expired" (when something
/// first looks at a row behind its deadline), "evicted", "restart", or "failover" (`put_back`).
class RowObserver {
 public:
  virtual ~RowObserver() = default;
  virtual void row_changed(std::string_view key, const Row* before, const Row* after, std::string_view cause) = 0;
};

/// What one script call did, beside its reply. Collected by the keyspace, not by the script's own code.
struct ScriptReport {
  std::set<std::string, std::less<>> keys_touched;  ///< every key that a command of the script read or wrote
  bool endless = false;                             ///< stopped by the instruction limit
  std::string endless_at;                           ///< "user_script:3", where it was stopped
};

class Server {
 public:
  struct Settings {
    std::string collate = "C";  ///< locale of string comparison in scripts; must be available (see lua/collation.h)
    std::uint64_t instruction_limit = 5'000'000;  ///< VM instructions per script call, checked every 10 000
    /// What a millisecond of server time is worth inside of scripts: for `busy-reply-threshold`, and for the clock that
    /// scripts of Redis 7.0 see. A script below the threshold takes no time as others see it.
    std::uint64_t instructions_per_ms = 10'000;
    PushSink* pushes = nullptr;                   ///< may be null; must outlive the server
    RowObserver* rows = nullptr;                  ///< may be null; must outlive the server
    Output* output = nullptr;                     ///< needed by `receive`; must outlive the server
    const Personality* personality = &valkey_8();
    bool cluster = false;  ///< as one node that has all slots: keys of one command must share a slot
  };

  /// `interpreter` is shared by all servers of a worker, one call at a time, and must outlive the server. Throws
  /// std::invalid_argument where the machine lacks the locale `settings.collate`.
  Server(lua::Interpreter& interpreter, Settings settings);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Runs one command. `now_us` is the server's wall clock, Unix microseconds, and must not decrease. SUBSCRIBE and
  /// UNSUBSCRIBE of several channels answer one array with the array of each channel, which a connection would carry as
  /// so many replies. An exception of an observer or a sink leaves; what was changed before it stays. Throws
  /// std::logic_error when called from within one (they may only look), std::invalid_argument without a name.
  Reply execute(ClientId client, std::span<const std::string> args, std::int64_t now_us);

  /// As `execute` for EVAL/EVALSHA, and reports what the call touched.
  Reply execute_reported(ClientId client, std::span<const std::string> args, std::int64_t now_us, ScriptReport& report);

  /// Runs one command as `execute` would and takes every change back: rows, expiry, pushes, observers, script cache,
  /// subscriptions, random numbers. Only `not_simulated` remembers: a rehearsal that met such a command judges nothing.
  /// `changed` (may be null) tells whether there was any change of a row to take back.
  Reply rehearse(std::span<const std::string> args, std::int64_t now_us, bool* changed = nullptr);

  /// Takes bytes that a connection sent: whole or partial requests, RESP or inline, any number; replies and pushes go
  /// to `settings.output`. A client of `receive` may be blocked, where one of `execute` is answered at once.
  void receive(ClientId client, std::string_view bytes, std::int64_t now_us);
  /// Lets the time of the server come to `now_us`: blocked clients whose time is up are answered.
  void advance(std::int64_t now_us);
  /// When `advance` has something to do next; nullopt: never.
  [[nodiscard]] std::optional<std::int64_t> next_timeout_us() const;
  [[nodiscard]] bool is_blocked(ClientId client) const;

  /// The client's connection is gone: its subscriptions end.
  void disconnect(ClientId client);

  /// The row as a client would see it at `now_us` (an expired one counts as absent); nothing changes.
  [[nodiscard]] std::optional<Row> peek(std::string_view key, std::int64_t now_us) const;
  /// Every visible row in key order, of any type. Both look at database 0.
  [[nodiscard]] std::vector<std::pair<std::string, Row>> peek_all(std::int64_t now_us) const;

  /// Removes one row as eviction would; false when there is none.
  bool evict(std::string_view key, std::int64_t now_us);
  /// Makes the row of database 0 what a replica has of it that takes over: `row`, with its deadline, or absent. Observers
  /// hear of it with the cause "failover", unless it stands so already; a row past its deadline counts as absent.
  void put_back(std::string_view key, const std::optional<Row>& row, std::int64_t now_us);
  /// What those are told who ask while a script does not end.
  [[nodiscard]] std::string busy_text() const;
  /// A restart: all connections and the script cache are gone; rows too unless `keep_rows`.
  void restart(bool keep_rows);
  /// Removes every row past its deadline at `now_us`, as the server's own active expiry would in time.
  void expire_all(std::int64_t now_us);
  /// The same for at most `rows_max` rows, going on where the last call stopped, unless DEBUG SET-ACTIVE-EXPIRE is off.
  void expire_some(std::size_t rows_max, std::int64_t now_us);
  /// Suspends expiry (rows past their deadline stay visible and keep their deadline) while true.
  void suspend_expiry(bool suspended);

  /// The first command met that this fake does not simulate, with where it stood ("HGET, called at user_script:3");
  /// empty when there was none. A run that met one says nothing about the real server and must not be judged.
  [[nodiscard]] const std::string& not_simulated() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cohsim::valkey
