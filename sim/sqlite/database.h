// A connection to a SQLite database on simulated files, and its statements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/sqlite/vfs.h"

namespace cohsim::sqlite {

enum class Step : std::uint8_t { row, done, failed };

/// Nothing here throws but what a choice threw; what SQLite refuses is an answer.
class Database {
 public:
  /// Opens or makes it. `vfs` must outlive it.
  Database(Vfs& vfs, const std::string& file);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  [[nodiscard]] bool is_open() const { return open_; }
  /// Runs statements that answer nothing. False: one of them failed, and those behind it were not run.
  bool run(const char* sql);
  [[nodiscard]] bool in_transaction() const;
  /// Syncs the log, copies it into the database and syncs that. False: something failed, and the log stands.
  bool checkpoint();
  /// SQLite's sentence about the last failure.
  [[nodiscard]] std::string problem() const;

 private:
  friend class Statement;
  Vfs& vfs_;
  sqlite3* connection_ = nullptr;
  bool open_ = false;
};

/// Prepared when it is first used, and then run often. Must not outlive its database, nor the text.
class Statement {
 public:
  Statement(Database& database, const char* sql) : database_(database), sql_(sql) {}
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int parameter, std::int64_t value);
  /// The text is copied.
  Statement& bind(int parameter, std::string_view value);
  Step step();
  /// To be run again, its parameters unset.
  void reset();
  /// step() to its end, and reset.
  bool run();

  [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  [[nodiscard]] std::string text(int column) const;

 private:
  sqlite3_stmt* prepared();

  Database& database_;
  const char* sql_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace cohsim::sqlite
