// The rows of the fake server: one map in key order, expiry on the server's clock, observers, and a log to take back.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/valkey/server.h"

namespace cohsim::valkey {

/// All changes pass through here, so that observers and the rehearsal's log miss none. Rows past their deadline
/// (now > deadline, as db.c's keyIsExpired) are removed when something looks at them.
class Keyspace {
 public:
  using Rows = std::map<std::string, Row, std::less<>>;

  explicit Keyspace(RowObserver* observer) : observer_(observer) {}

  /// The server's clock for what follows, in Unix milliseconds.
  void set_now_ms(std::int64_t now_ms) { now_ms_ = now_ms; }
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  void suspend_expiry(bool suspended) { expiry_suspended_ = suspended; }
  /// Removes every row past its deadline, in key order.
  void expire_all();

  /// The live row, or null. Valid until the next change.
  const Row* find(std::string_view key);
  void put(std::string_view key, std::string_view bytes, std::optional<std::int64_t> deadline_ms,
           std::string_view cause);
  /// Sets or removes the deadline of a row that `find` has just shown.
  void set_deadline(std::string_view key, std::optional<std::int64_t> deadline_ms, std::string_view cause);
  /// False where there is no live row. `key` may point into the row itself.
  bool erase(std::string_view key, std::string_view cause);
  /// Removes every row, in key order.
  void clear(std::string_view cause);

  /// Looks without removing anything.
  [[nodiscard]] bool is_live(const Row& row, std::int64_t now_ms) const {
    return !row.deadline_ms || expiry_suspended_ || now_ms <= *row.deadline_ms;
  }
  [[nodiscard]] const Rows& rows() const { return rows_; }

  /// From here on changes are logged and observers hear nothing; `roll_back` undoes them and ends it.
  void begin_rehearsal();
  void roll_back();
  /// Whether a change has been logged since `begin_rehearsal`.
  [[nodiscard]] bool rehearsal_changed() const { return !undo_.empty(); }

 private:
  struct Undo {
    std::string key;
    std::optional<Row> before;
  };

  Rows::iterator find_live(std::string_view key);
  void remove(Rows::iterator place, std::string_view cause);
  void log(std::string_view key, const Row* before);
  [[nodiscard]] bool observed() const { return observer_ != nullptr && !rehearsing_; }

  RowObserver* observer_;
  std::int64_t now_ms_ = 0;
  bool expiry_suspended_ = false;
  bool rehearsing_ = false;
  Rows rows_;
  std::vector<Undo> undo_;
};

}  // namespace cohsim::valkey
