// The journal's storage on the simulated disk: one record a transaction, appended; a checkpoint replaces the log by one
// record of everything. Recovery reads whole records with the right checksum and stops at the first that is not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/events.h"
#include "sim/disk.h"

namespace cohsim {

/// One transaction, as it is written and as it is replayed.
struct JournalTransaction {
  JournalWrite write = JournalWrite::record;
  std::vector<JournalContents::Intent> intents;  ///< record: what comes; mark: the one marked; compact: what goes
  std::string id, version;                       ///< remember
};

/// What a transaction does to what the journal holds. Pure.
void apply_transaction(JournalContents& contents, const JournalTransaction& transaction);

/// The file of one journal. Survives its node; every call is one atomic step.
class JournalLog {
 public:
  /// A commit in this many is followed by a checkpoint's sync (WAL with synchronous=NORMAL syncs there only).
  static constexpr std::uint64_t commits_per_checkpoint = 16;
  /// A checkpoint that finds the log longer than this, and than four times its last rewrite, makes it one record.
  static constexpr std::size_t rewrite_size = 16 * 1024;

  JournalLog(Disk& disk, std::string file) : disk_(disk), file_(std::move(file)) {}

  void append(const JournalTransaction& transaction);
  /// Makes everything so far durable; `contents` and `transactions` are what the log amounts to.
  void checkpoint(const JournalContents& contents, std::uint64_t transactions);

  struct Recovered {
    JournalContents contents;
    std::uint64_t transactions = 0;
  };
  /// Cuts off what is not a whole record. `skip_second` is a planted defect: the second transaction is left out.
  Recovered recover(bool skip_second = false);

 private:
  Disk& disk_;
  std::string file_;
  std::size_t last_rewrite_size_ = 0;
};

}  // namespace cohsim
