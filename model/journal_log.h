// The journal's storage on the simulated disk: one record a transaction, appended; a checkpoint replaces the log by one
// record of everything. Recovery reads whole records with the right checksum and stops at the first that is not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/journal_store.h"
#include "sim/disk.h"

namespace cohsim {

/// The file of one journal. Survives its node; every call is one atomic step.
class JournalLog {
 public:
  /// A checkpoint that finds the log longer than this, and than four times its last rewrite, makes it one record.
  static constexpr std::size_t rewrite_size = 16 * 1024;

  JournalLog(Disk& disk, std::string file) : disk_(disk), file_(std::move(file)) {}

  void append(const JournalTransaction& transaction);
  /// Makes everything so far durable; `contents` and `transactions` are what the log amounts to. `fails`: its sync does.
  void checkpoint(const JournalContents& contents, std::uint64_t transactions, bool fails = false);

  struct Recovered {
    JournalContents contents;
    std::uint64_t transactions = 0;
  };
  /// Planted defects: the transaction that recovery leaves out.
  enum class Skip : std::uint8_t { nothing, second, last };
  /// Cuts off what is not a whole record.
  Recovered recover(Skip skip = Skip::nothing);

 private:
  Disk& disk_;
  std::string file_;
  std::size_t last_rewrite_size_ = 0;
};

}  // namespace cohsim
