// The disk of one node: append-only files, of which a crash of the process keeps what was written and a power loss
// what was synced plus any prefix of the rest.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/choices.h"
#include "sim/disk_faults.h"

namespace cohsim {

/// Survives its node. Every call is atomic; the model awaits between calls, where a crash may fall.
class Disk {
 public:
  struct File {
    std::string bytes;
    std::size_t synced_size = 0;  ///< bytes that a power loss cannot take
    std::optional<std::size_t> doomed_from;  ///< a failed sync dropped what stands from here on: no later one brings it
  };

  void append(std::string_view file, std::string_view bytes);
  void sync(std::string_view file);
  /// The sync fails: what it should have made safe is there to be read, and gone at the next power loss.
  void fail_sync(std::string_view file);
  /// Cuts the file, as recovery does behind the last whole record. Counts as synced.
  void truncate(std::string_view file, std::size_t size);
  /// Replaces a file by another content in one durable step (write beside it, sync, rename).
  void replace(std::string_view file, std::string bytes);
  /// The file's bytes; empty when there is none.
  [[nodiscard]] std::string_view read(std::string_view file) const;

  /// Takes from each file any suffix of its unsynced part, as chosen. A torn one leaves zeros where bytes were lost: the
  /// file had grown already.
  DiskLost lose_power(Choices& choices, Actor node, const DiskFaults& faults = {});

 private:
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace cohsim
