// The rows of the fake server: databases in key order, expiry on the server's clock, observers, and a log to take back.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/valkey/server.h"

namespace cohsim::valkey {

/// Hears of every change in every database, rehearsed ones included, after it. `cause` is the event's name in upper
/// case, in general the command's ("LPUSH"), or "expired", "evicted", "restart".
class KeyListener {
 public:
  virtual ~KeyListener() = default;
  virtual void key_changed(int database, std::string_view key, bool existed, const Row* after,
                           std::string_view cause) = 0;
  /// A database, or all of them, has been emptied; each row that was there has been told before.
  virtual void cleared() = 0;
  /// A command has found nothing where it looked.
  virtual void key_missed(int database, std::string_view key) = 0;
};

/// All changes pass through here, so that observers and the rehearsal's log miss none. Rows past their deadline
/// (now > deadline, as db.c's keyIsExpired) are removed when something looks at them.
class Keyspace {
 public:
  using Rows = std::map<std::string, Row, std::less<>>;
  static constexpr int databases = 16;

  /// The observer hears of database 0 only, which is what the model uses; both may be null.
  explicit Keyspace(RowObserver* observer, KeyListener* listener = nullptr)
      : observer_(observer), listener_(listener) {}

  /// The server's clock for what follows, in Unix milliseconds.
  void set_now_ms(std::int64_t now_ms) { now_ms_ = now_ms; }
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  void suspend_expiry(bool suspended) { expiry_suspended_ = suspended; }
  /// The database that all that follows is about; below `databases`.
  void select(int database) { database_ = database; }
  [[nodiscard]] int database() const { return database_; }
  /// Removes every row past its deadline, in every database, in key order.
  void expire_all();
  /// The same for at most `rows_max` rows, from where the last call stopped; those of all databases, round and round.
  void expire_some(std::size_t rows_max);

  /// The live row, or null. Valid until the next change.
  const Row* find(std::string_view key);
  /// The same for a command that does not count as use of the row.
  const Row* look(std::string_view key);
  /// As `look`, and who listens hears of it where there is nothing.
  const Row* look_or_miss(std::string_view key);
  void put(std::string_view key, std::string_view bytes, std::optional<std::int64_t> deadline_ms,
           std::string_view cause);
  /// The same with a row of any type.
  void put(std::string_view key, Row row, std::string_view cause);
  /// Changes the collection at `key`, made empty where there is no row, by `change(T&)`; a row that is empty after it
  /// goes. The row must be of type T; call it only to change something.
  template <class T, class Change>
  void edit(std::string_view key, std::string_view cause, Change change);
  /// Sets or removes the deadline of a row that `find` has just shown.
  void set_deadline(std::string_view key, std::optional<std::int64_t> deadline_ms, std::string_view cause);
  /// How the string at `key` is held; no change that anybody hears of.
  void set_form(std::string_view key, Row::Form form);
  /// False where there is no live row. `key` may point into the row itself.
  bool erase(std::string_view key, std::string_view cause);
  /// Removes every row of the selected database, or of all, in key order.
  void clear(std::string_view cause);
  void clear_all(std::string_view cause);
  /// Exchanges the rows of two databases: for those who listen, each goes and comes.
  void swap(int one, int other, std::string_view cause);

  /// Looks without removing anything.
  [[nodiscard]] bool is_live(const Row& row, std::int64_t now_ms) const {
    return !row.deadline_ms || expiry_suspended_ || now_ms <= *row.deadline_ms;
  }
  /// Of the selected database, rows past their deadline included.
  [[nodiscard]] const Rows& rows() const { return rows(database_); }
  [[nodiscard]] const Rows& rows(int database) const { return databases_[static_cast<std::size_t>(database)]; }
  /// What all rows of all databases take, about.
  [[nodiscard]] std::int64_t used_bytes() const { return used_bytes_; }
  /// What a real server's allocator would say of one row, about.
  [[nodiscard]] static std::int64_t bytes_of(std::string_view key, const Row& row);

  /// From here on changes are logged and observers hear nothing; `roll_back` undoes them and ends it.
  void begin_rehearsal();
  void roll_back();
  /// Whether a change has been logged since `begin_rehearsal`.
  [[nodiscard]] bool rehearsal_changed() const { return !undo_.empty(); }

 private:
  struct Undo {
    int database;
    std::string key;
    std::optional<Row> before;
  };

  [[nodiscard]] Rows& own_rows() { return databases_[static_cast<std::size_t>(database_)]; }
  Rows::iterator find_live(std::string_view key);
  void remove(Rows::iterator place, std::string_view cause);
  void remove_all(std::string_view cause);
  void log(std::string_view key, const Row* before);
  [[nodiscard]] bool observed() const { return observer_ != nullptr && !rehearsing_ && database_ == 0; }
  [[nodiscard]] bool keeps_before() const { return rehearsing_ || observed(); }
  void changed(const std::string& key, const Row* before, bool existed, const Row* after, std::string_view cause);
  /// What a row takes comes and goes by these.
  void count(std::string_view key, const Row& row);
  void uncount(std::string_view key, const Row& row);
  /// The row to change, its collection unshared; `existed` says whether it was there.
  Row& open(std::string_view key, bool& existed, std::optional<Row>& before);
  void close(std::string_view key, bool existed, const std::optional<Row>& before, bool empty, std::string_view cause);

  RowObserver* observer_;
  KeyListener* listener_;
  std::int64_t now_ms_ = 0;
  bool expiry_suspended_ = false;
  bool rehearsing_ = false;
  int database_ = 0;
  int expiring_ = 0;             ///< the database that `expire_some` goes on in
  std::string expiring_from_;    ///< the first key there that it looks at
  std::int64_t used_bytes_ = 0;
  std::array<Rows, databases> databases_;
  std::vector<Undo> undo_;
};

template <class T, class Change>
void Keyspace::edit(std::string_view key, std::string_view cause, Change change) {
  bool existed = false;
  std::optional<Row> before;
  Row& row = open(key, existed, before);
  if (row.collection == nullptr) row.collection = std::make_shared<Collection>(T{});
  if (row.collection.use_count() > 1) row.collection = std::make_shared<Collection>(*row.collection);
  T& value = std::get<T>(*row.collection);
  change(value);
  close(key, existed, before, value.empty(), cause);
}

}  // namespace cohsim::valkey
