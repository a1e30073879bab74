// Files of one node as a disk holds them: bytes at offsets, written in an order, safe once synced. A crash of the process
// keeps all that was written; a power loss what was synced, plus any prefix of the writes behind it, file by file.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/choices.h"
#include "sim/disk_faults.h"

namespace cohsim {

/// Survives its node. Every call is atomic; a caller that dies between two of them leaves what the first ones did.
class FileStore {
 public:
  [[nodiscard]] bool exists(std::string_view file) const { return files_.find(file) != files_.end(); }
  [[nodiscard]] std::size_t size(std::string_view file) const;
  /// Answers how many bytes there were.
  std::size_t read(std::string_view file, std::size_t offset, std::span<char> into) const;

  /// Makes the file where there is none, and fills a gap behind its end with zeros.
  void write(std::string_view file, std::size_t offset, std::string_view bytes);
  void truncate(std::string_view file, std::size_t size);
  /// False: it failed. What was written since the last sync stays visible, as in a page cache that calls its pages clean,
  /// and only writing it again and syncing that makes it safe.
  bool sync(std::string_view file, const DiskFaults& faults, Choices& choices, Actor node);
  void fail_sync(std::string_view file);
  /// Durable at once.
  void remove(std::string_view file);

  DiskLost lose_power(const DiskFaults& faults, Choices& choices, Actor node);

  /// 1, 2, …: for whoever must tell one opening of this disk's files from another, whatever happened to the files.
  std::uint64_t count_opening() { return ++openings_; }

 private:
  struct Change {
    std::size_t offset = 0;  ///< of a truncation: the new size
    std::string bytes;
    bool truncates = false;
  };
  struct File {
    std::string now;              // what a reader sees
    std::string safe;             // what no power loss can take
    std::vector<Change> pending;  // what makes `now` of `safe`, but for what was doomed
    bool doomed = false;          // a failed sync dropped changes
  };
  static void apply(std::string& bytes, const Change& change);
  static void lose(File& file, const DiskFaults& faults, Choices& choices, Actor node, DiskLost& lost);

  std::map<std::string, File, std::less<>> files_;
  std::uint64_t openings_ = 0;
};

}  // namespace cohsim
