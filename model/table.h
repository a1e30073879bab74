// The L1 cache of one node for one table, with its owner, its flights and its counters (domain.md section 3).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/client.h"
#include "model/message.h"
#include "model/node_context.h"
#include "model/truth.h"
#include "model/world_view.h"
#include "sim/lock.h"

namespace cohsim {

struct FetchResult {
  FetchOutcome outcome = FetchOutcome::failed;
  std::string version;
  std::string value;
};

/// Lives in a node's memory: a crash destroys it with everything in it.
class Table {
 public:
  /// Mints a version for a flight or a write of this node.
  using Minter = std::function<std::string(TableRef)>;

  Table(NodeContext& node, Client& client, const SourceOfTruth& truth, Minter minter, std::uint16_t index);

  // Public verbs. Each checks the kind first; an id of another kind is refused before either layer is touched.
  Task<FetchResult> fetch(std::string id);
  /// False when refused or failed: a SET that fails kills the owner, and the table starts again with an empty L1.
  Task<bool> put(std::string id, std::string value, std::string version);
  Task<bool> invalidate(std::string id);
  struct ApplyResult {
    bool answered = false;  ///< false: another kind, or the owner died meanwhile
    Verdict verdict = Verdict::stale;
  };
  /// Through the owner, as the job lane calls it.
  Task<ApplyResult> apply_coherence(std::string id, std::string version);

  /// As the ring's applier does it: at once, beside the owner, and without looking at the kind.
  Verdict apply_from_ring(const std::string& id, const std::string& version);
  /// Removes a row from L1, whatever its version.
  void remove(const std::string& id, L1Cause why);
  /// One sweep: expired rows go.
  void sweep();

  /// By id. A planted defect carries them over a crash.
  using Rows = std::map<std::string, L1Row, std::less<>>;
  [[nodiscard]] Rows take_rows() { return std::exchange(rows_, {}); }
  void restore(Rows rows) { rows_ = std::move(rows); }

  [[nodiscard]] bool is_kind(std::string_view id) const;
  [[nodiscard]] const L1Row* peek(std::string_view id) const;
  [[nodiscard]] std::vector<std::string> ids() const;
  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] Counters& counters() { return counters_; }
  [[nodiscard]] const TableSettings& settings() const { return settings_; }
  [[nodiscard]] TableRef ref() const { return ref_; }

 private:
  struct Flight {
    std::uint64_t number = 0;
    std::string id;
    FiberId fiber;
    bool ended = false;
    /// Under `fill_write = "lease"`: the name was put, invalidated or messaged here since the flight began.
    bool overtaken = false;
    std::string lease;  // the token; empty: none
    FetchResult result;
    std::vector<std::pair<std::uint64_t, Waker>> waiters;
  };
  using FlightRef = std::shared_ptr<Flight>;

  bool refuse_kind(std::string_view id, std::string_view verb);
  [[nodiscard]] bool expired(const L1Row& row) const;
  L1Row* live_row(std::string_view id);
  void insert(const std::string& id, const std::string& version, const std::string& value, L1Cause why);
  [[nodiscard]] bool supersedes(std::string_view version, std::string_view held) const;
  bool make_room();
  Verdict apply(const std::string& id, const std::string& version, Lane lane);
  void owner_dies();

  void note_read(const Flight& flight, std::string_view layer, const std::optional<Frame>& found);
  FlightRef board(const std::string& id);
  Task<void> fly(FlightRef flight);
  Task<FetchResult> read_through(FlightRef flight, std::string minted);
  /// What goes wrong with one load of the source of truth.
  struct LoaderTrouble {
    bool fails = false;
    DurationUs slower_us = 0;
    DurationUs behind_us = 0;  ///< it sees what was committed so long ago
  };
  LoaderTrouble draw_loader_trouble(const std::string& id);
  Task<FetchResult> load(FlightRef flight, std::string minted);
  Task<FetchResult> land_refused(FlightRef flight, Frame loaded, std::string standing);
  Task<bool> land(FlightRef flight, std::string version, std::string value);
  [[nodiscard]] bool may_land(const Flight& flight, const std::string& version);
  void overtake(const std::string& id);
  void end_flight(const FlightRef& flight, FetchResult result);

  // Of row_writes.cpp: how rows reach L2, by the settings of the design.
  struct Stored {
    bool answered = false;  ///< false: disconnected, or an error
    bool stored = false;
    std::string standing;   ///< of a refusal: the frame that stands; empty: none
  };
  Task<Stored> set_row(std::string id, std::string frame);
  Task<Stored> store_put(std::string id, std::string frame);
  Task<Stored> store_fill(FlightRef flight, std::string frame);
  Task<Stored> store_by_script(std::string script, std::vector<std::string> keys, std::vector<std::string> args);
  Task<MaybeReply> read_row(FlightRef flight);
  void note_refused(const std::string& id, std::string_view version, std::string_view layer, std::string_view what,
                    std::string_view standing);

  NodeContext& node_;
  Client& client_;
  const SourceOfTruth& truth_;
  Minter minter_;
  TableRef ref_;
  const TableSettings& settings_;
  OwnerLock owner_;
  Rows rows_;
  std::map<std::string, FlightRef, std::less<>> flights_;
  Counters counters_;
  std::uint64_t next_flight_ = 1;
  std::uint64_t next_waiter_ = 1;
};

}  // namespace cohsim
