// What SQLite takes for its operating system: the files of a FileStore, virtual time, and random bytes from a seed.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/file_store.h"

namespace cohsim::sqlite {

/// One for each open database: SQLite's default for as long as it lives. SQLite is called by one thread, and one
/// connection has a database to itself, so that nothing ever waits for a lock.
class Vfs {
 public:
  /// `seed`: another one each time that a database is opened, or two logs would have the salts of one.
  Vfs(FileStore& files, Choices& choices, Actor node, std::uint64_t seed);
  ~Vfs();
  Vfs(const Vfs&) = delete;
  Vfs& operator=(const Vfs&) = delete;

  [[nodiscard]] const char* name() const { return name_.c_str(); }
  /// What the disk does wrong from now on.
  void set_faults(const DiskFaults& faults) { faults_ = faults; }
  /// The n-th sync from now fails, whatever the faults are; 0: none does.
  void fail_sync_in(std::uint32_t syncs) { sync_to_fail_ = syncs; }
  [[nodiscard]] std::uint32_t sync_to_fail() const { return sync_to_fail_; }
  void set_clock(std::int64_t unix_ms) { unix_ms_ = unix_ms; }

  /// The process dies after so many more calls that change a file: those after it leave the files alone and fail, and so
  /// does every other call.
  void freeze_after(std::uint64_t changes);
  [[nodiscard]] bool frozen() const { return freezes_ && changes_left_ == 0; }

  /// What was asked of the disk since the last time this was asked. The digest is of operations, files, offsets and sizes.
  struct Calls {
    std::uint64_t reads = 0, changes = 0, bytes_written = 0, failed_syncs = 0, digest = 0;
  };
  Calls take_calls();
  /// No exception may pass through SQLite: what a choice threw inside it goes on here.
  void rethrow();

 private:
  friend struct Calling;
  struct File {
    sqlite3_file base;
    Vfs* vfs;
    std::string* name;
  };
  enum class Operation : std::uint8_t { open, read, write, truncate, sync, remove };

  static Vfs& of(sqlite3_vfs* vfs) { return *static_cast<Vfs*>(vfs->pAppData); }
  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
  void note(Operation operation, std::string_view file, std::uint64_t offset, std::uint64_t size);
  /// False: the process is dead.
  bool may_change();
  void describe();
  int sync(const File& file);
  std::uint64_t next_random();
  int map_shared(int region, int size, bool extend, void volatile** where);

  FileStore& files_;
  Choices& choices_;
  Actor node_;
  std::uint64_t random_;
  std::string name_;
  sqlite3_vfs vfs_{};
  DiskFaults faults_;
  std::uint32_t sync_to_fail_ = 0;
  std::int64_t unix_ms_ = 0;
  bool freezes_ = false;
  std::uint64_t changes_left_ = 0;
  Calls calls_;
  std::exception_ptr thrown_;
  std::vector<std::unique_ptr<char[]>> shared_;  // what other processes would map: the index of the log
};

}  // namespace cohsim::sqlite
