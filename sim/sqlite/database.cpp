#include "sim/sqlite/database.h"

namespace cohsim::sqlite {

Database::Database(Vfs& vfs, const std::string& file) : vfs_(vfs) {
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  open_ = sqlite3_open_v2(file.c_str(), &connection_, flags, vfs.name()) == SQLITE_OK;
  vfs_.rethrow();
}

Database::~Database() { sqlite3_close_v2(connection_); }

bool Database::run(const char* sql) {
  const int result = sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr);
  vfs_.rethrow();
  return result == SQLITE_OK;
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(connection_) == 0; }

bool Database::checkpoint() {
  int in_log = 0, copied = 0;
  const int result = sqlite3_wal_checkpoint_v2(connection_, nullptr, SQLITE_CHECKPOINT_PASSIVE, &in_log, &copied);
  vfs_.rethrow();
  return result == SQLITE_OK && in_log == copied;
}

std::string Database::problem() const { return sqlite3_errmsg(connection_); }

sqlite3_stmt* Statement::prepared() {
  if (statement_ != nullptr) return statement_;
  sqlite3_prepare_v3(database_.connection_, sql_, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
  database_.vfs_.rethrow();
  return statement_;
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(prepared(), parameter, value);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  sqlite3_bind_text(prepared(), parameter, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  return *this;
}

Step Statement::step() {
  const int result = sqlite3_step(prepared());  // of a statement that could not be prepared: a misuse, and so a failure
  database_.vfs_.rethrow();
  if (result == SQLITE_ROW) return Step::row;
  return result == SQLITE_DONE ? Step::done : Step::failed;
}

void Statement::reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

bool Statement::run() {
  Step step = Statement::step();
  while (step == Step::row) step = Statement::step();
  reset();
  return step == Step::done;
}

std::string Statement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace cohsim::sqlite
