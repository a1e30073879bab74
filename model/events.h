// Every event of a run, typed: what oracles judge, traces print and the hash covers. One list, three uses.
// long because: the list is read as one; each event is a few lines.
//
// Strings are views that live as long as the call. Rows are pointers (null: absent) with the same life. A field of type
// Actor whose key is node/from/to is printed by name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace.h"
#include "sim/valkey/reply.h"
#include "sim/valkey/server.h"

namespace cohsim {

/// A table by its place in Scenario::tables and its name.
struct TableRef {
  std::uint16_t index = 0;
  std::string_view name;
  friend bool operator==(const TableRef& a, const TableRef& b) { return a.index == b.index; }
};

/// What a journal holds: read by oracles and readers, written by model/journal.
struct JournalContents {
  struct Intent {
    std::int64_t seq = 0;
    std::string job;
    std::string name;
    std::string version;
    std::string queue;      ///< the queue it is meant for (one a table, or one a node under per_node)
    bool enqueued = false;
    friend bool operator==(const Intent&, const Intent&) = default;
  };
  struct Applied {
    std::string version;
    std::int64_t seq = 0;   ///< grows with every upsert
    friend bool operator==(const Applied&, const Applied&) = default;
  };
  std::map<std::int64_t, Intent> intents;                 ///< by seq
  std::map<std::string, Applied, std::less<>> applied;    ///< by name
  friend bool operator==(const JournalContents&, const JournalContents&) = default;
};

enum class L1Cause : std::uint8_t { put, fill, coherence, invalidate, expired, reclaimed, owner_died };
enum class Verdict : std::uint8_t { applied, stale };
enum class JournalVerdict : std::uint8_t { applied, stale, remembered_stale, failed };
enum class JournalWrite : std::uint8_t { record, mark_enqueued, remember, compact };
enum class JobState : std::uint8_t { absent, pending, active, scheduled, dead };
enum class Outcome : std::uint8_t { ok, duplicate, stale, dead, failed, disconnected };
enum class FetchOutcome : std::uint8_t { hit, l2_hit, loaded, absent, corrupt, failed, refused };

[[nodiscard]] std::string_view name_of(L1Cause value);
[[nodiscard]] std::string_view name_of(Verdict value);
[[nodiscard]] std::string_view name_of(JournalVerdict value);
[[nodiscard]] std::string_view name_of(JournalWrite value);
[[nodiscard]] std::string_view name_of(JobState value);
[[nodiscard]] std::string_view name_of(Outcome value);
[[nodiscard]] std::string_view name_of(FetchOutcome value);
[[nodiscard]] std::string_view lane_name(std::uint8_t lane);

/// Defines `name` and `fields` of an event: the visitor gets each listed member under its own name.
#define COHSIM_EVENT(text, ...)                         \
  static constexpr std::string_view name = text;        \
  template <class V>                                    \
  void fields([[maybe_unused]] V&& visit) const { __VA_ARGS__ }

namespace event {

using Bytes = std::string_view;
using MaybeBytes = std::optional<std::string_view>;

// Nodes, clocks, the world ---------------------------------------------------------------------------------------------
struct NodeStarted {
  Actor node; bool again; std::int64_t wall_ms;
  COHSIM_EVENT("node started", visit("node", node); visit("again", again); visit("wall_ms", wall_ms);)
};
/// All fibers, memory and connections of the node are gone. `lost_bytes`: what a power loss took from its disk. `at`: the
/// stopping point that a fiber of this life came to last; empty: none.
struct NodeCrashed {
  Actor node; bool power; std::uint64_t lost_bytes; Bytes at{};
  COHSIM_EVENT("node crashed", visit("node", node); visit("power", power); visit("lost_bytes", lost_bytes);
               visit("at", at);)
};
struct NodeLeft {  ///< for good, in order
  Actor node;
  COHSIM_EVENT("node left", visit("node", node);)
};
struct ClockStepped {
  Actor node; DurationUs by_us;
  COHSIM_EVENT("clock stepped", visit("node", node); visit("by_us", by_us);)
};
/// The node's fibers stand still, and its monotonic clock with them.
struct NodePaused {
  Actor node; DurationUs span_us;
  COHSIM_EVENT("node paused", visit("node", node); visit("span_us", span_us);)
};
struct ClockDrifts {  ///< both clocks of the node run so much faster from now on
  Actor node; std::int64_t ppm;
  COHSIM_EVENT("clock drifts", visit("node", node); visit("ppm", ppm);)
};
struct Partitioned {
  Actor from; Actor to; bool cut;
  COHSIM_EVENT("partition", visit("from", from); visit("to", to); visit("cut", cut);)
};
/// Faults off, partitions healed, expiry suspended; between Began and Ended everything owed is brought in.
struct SettleBegan { COHSIM_EVENT("settle began") };
struct SettleEnded { COHSIM_EVENT("settle ended") };
/// `s.expect(condition, text)` of a scripted scenario.
struct ExpectationChecked {
  bool holds; Bytes text; std::int64_t line;
  COHSIM_EVENT("expect", visit("holds", holds); visit("text", text); visit("line", line);)
};
/// An invariant of the scenario file answered false.
struct InvariantBroke {
  Bytes invariant; Bytes text;
  COHSIM_EVENT("invariant broke", visit("invariant", invariant); visit("text", text);)
};

/// A step of the scenario stopped an operation before `point`, and let it go on.
struct OperationStopped {
  Actor node; std::uint64_t operation; Bytes point;
  COHSIM_EVENT("stopped", visit("node", node); visit("operation", operation); visit("point", point);)
};
struct OperationResumed {
  Actor node; std::uint64_t operation; Bytes point;
  COHSIM_EVENT("resumed", visit("node", node); visit("operation", operation); visit("point", point);)
};

// Writes and the source of truth -------------------------------------------------------------------------------------
struct Minted {
  Actor node; Bytes version;
  COHSIM_EVENT("minted", visit("node", node); visit("version", version);)
};
/// The source of truth took the write. `serial` counts commits of the whole run from 1.
struct Committed {
  Actor node; TableRef table; Bytes id; Bytes version; Bytes value; std::uint64_t serial;
  COHSIM_EVENT("committed", visit("node", node); visit("table", table.name); visit("id", id); visit("version", version);
               visit("value", value); visit("serial", serial);)
};
struct WriteEnded {  ///< Table.put and the announcement are through, or failed (`ok` false)
  Actor node; TableRef table; Bytes id; Bytes version; bool ok;
  COHSIM_EVENT("write ended", visit("node", node); visit("table", table.name); visit("id", id);
               visit("version", version); visit("ok", ok);)
};
/// A public verb was called with an id of another kind, and refused.
struct KindRefused {
  Actor node; TableRef table; Bytes id; Bytes verb;
  COHSIM_EVENT("kind refused", visit("node", node); visit("table", table.name); visit("id", id); visit("verb", verb);)
};

// L1 ------------------------------------------------------------------------------------------------------------------
/// One row of one node's L1 came, changed or went. A crash or a dead owner empties L1 with one event of its own.
struct L1Changed {
  Actor node; TableRef table; Bytes id; MaybeBytes before; MaybeBytes after; MaybeBytes value; L1Cause why;
  COHSIM_EVENT("l1", visit("node", node); visit("table", table.name); visit("id", id); visit("before", before);
               visit("after", after); visit("value", value); visit("why", name_of(why));)
};
/// The table's owner died (its SET failed) and started again with an empty L1.
struct OwnerDied {
  Actor node; TableRef table;
  COHSIM_EVENT("owner died", visit("node", node); visit("table", table.name);)
};
/// apply_coherence ran. `row`: the version that L1 held just before, `kept`: holds just after.
struct CoherenceApplied {
  Actor node; TableRef table; Bytes id; Bytes version; MaybeBytes row; MaybeBytes kept; Verdict verdict; std::uint8_t lane;
  COHSIM_EVENT("coherence applied", visit("node", node); visit("table", table.name); visit("id", id);
               visit("version", version); visit("row", row); visit("kept", kept); visit("verdict", name_of(verdict));
               visit("lane", lane_name(lane));)
};
struct FetchEnded {
  Actor node; TableRef table; Bytes id; FetchOutcome outcome; MaybeBytes version; MaybeBytes value; TimeUs began;
  COHSIM_EVENT("fetch ended", visit("node", node); visit("table", table.name); visit("id", id);
               visit("outcome", name_of(outcome)); visit("version", version); visit("value", value);
               visit("began", began);)
};
struct FlightBegan {
  Actor node; TableRef table; Bytes id; std::uint64_t flight;
  COHSIM_EVENT("flight began", visit("node", node); visit("table", table.name); visit("id", id);
               visit("flight", flight);)
};
struct FlightJoined {  ///< a caller waits for the flight; the first one too
  Actor node; TableRef table; Bytes id; std::uint64_t flight; std::uint64_t waiter;
  COHSIM_EVENT("flight joined", visit("node", node); visit("table", table.name); visit("id", id);
               visit("flight", flight); visit("waiter", waiter);)
};
/// A load went wrong. `what`: "failed", "slow" (`by_us`: so much slower), "stale" (`by_us`: it sees the source so far back).
struct LoaderStruck {
  Actor node; TableRef table; Bytes id; Bytes what; DurationUs by_us;
  COHSIM_EVENT("loader struck", visit("node", node); visit("table", table.name); visit("id", id); visit("what", what);
               visit("by_us", by_us);)
};
/// A flight got to know what a layer holds: `layer` is "l2" (the reply is here) or "source" (the loader has looked; its
/// answer is still on its way). `version`, `value`: absent where there is nothing, or no frame.
struct FlightRead {
  Actor node; TableRef table; Bytes id; std::uint64_t flight; Bytes layer; MaybeBytes version; MaybeBytes value;
  COHSIM_EVENT("flight read", visit("node", node); visit("table", table.name); visit("id", id);
               visit("flight", flight); visit("layer", layer); visit("version", version); visit("value", value);)
};
struct FlightEnded {
  Actor node; TableRef table; Bytes id; std::uint64_t flight; FetchOutcome outcome; MaybeBytes version;
  COHSIM_EVENT("flight ended", visit("node", node); visit("table", table.name); visit("id", id);
               visit("flight", flight); visit("outcome", name_of(outcome)); visit("version", version);)
};
struct WaiterAnswered {
  Actor node; std::uint64_t flight; std::uint64_t waiter; FetchOutcome outcome;
  COHSIM_EVENT("waiter answered", visit("node", node); visit("flight", flight); visit("waiter", waiter);
               visit("outcome", name_of(outcome));)
};
struct FullSkip {
  Actor node; TableRef table; Bytes id;
  COHSIM_EVENT("full, not inserted", visit("node", node); visit("table", table.name); visit("id", id);)
};

// L2 and the script ----------------------------------------------------------------------------------------------------
/// A row of the server changed. `cause`: command name, "expired", "evicted", "restart" or "failover" (what stood before the write
/// that was lost). `table`/`id` are set when the
/// key is one of a table (`ours`).
struct RowChanged {
  Bytes key; const valkey::Row* before; const valkey::Row* after; Bytes cause; bool ours; TableRef table; Bytes id;
  COHSIM_EVENT("l2", visit("key", key);
               visit("before", before ? MaybeBytes(before->bytes) : std::nullopt);
               visit("after", after ? MaybeBytes(after->bytes) : std::nullopt);
               visit("deadline_ms", after && after->deadline_ms ? after->deadline_ms : std::nullopt);
               visit("cause", cause);)
};
/// A layer refused a write that was no newer than what stands there, or that lost its lease: `what` is "put" or "fill".
/// `standing`: the version that it met; absent: none.
struct WriteRefused {
  Actor node; TableRef table; Bytes id; Bytes version; Bytes layer; Bytes what; MaybeBytes standing;
  COHSIM_EVENT("refused", visit("node", node); visit("table", table.name); visit("id", id); visit("version", version);
               visit("layer", layer); visit("what", what); visit("standing", standing);)
};
/// A flight is about to write what it loaded to L2, under a version that a write committed (`fill_version = "source"`);
/// whatever its fiber sends until the flight ends is that.
struct FillSent {
  Actor node; TableRef table; Bytes id; Bytes version; std::uint64_t flight;
  COHSIM_EVENT("fill sent", visit("node", node); visit("table", table.name); visit("id", id); visit("version", version);
               visit("flight", flight);)
};
/// :coherence_drop ran to its end on a healthy server. `before`/`after`: KEYS[1] just before (after eviction and expiry)
/// and just after. `again`: the reply of the same call rehearsed right behind it, and whether that changed a row.
struct ScriptRan {
  Actor node; TableRef table; Bytes id; Bytes key; Bytes argument;
  const valkey::Row* before; const valkey::Row* after; const valkey::Reply* reply;
  const valkey::Reply* again; bool again_changed; const std::set<std::string, std::less<>>* keys_touched;
  bool endless; Bytes endless_at;
  COHSIM_EVENT("script", visit("node", node); visit("key", key); visit("argument", argument);
               visit("before", before ? MaybeBytes(before->bytes) : std::nullopt);
               visit("after", after ? MaybeBytes(after->bytes) : std::nullopt);
               visit("reply", valkey::to_text(*reply)); visit("again", valkey::to_text(*again));)
};
/// What the caller of drop_l2 got to know. ok carries the integer.
struct DropAnswered {
  Actor node; TableRef table; Bytes id; Bytes version; Outcome outcome; std::int64_t dropped;
  COHSIM_EVENT("drop answered", visit("node", node); visit("table", table.name); visit("id", id);
               visit("version", version); visit("outcome", name_of(outcome)); visit("dropped", dropped);)
};
struct ServerRestarted {
  bool kept_rows;
  COHSIM_EVENT("server restarted", visit("kept_rows", kept_rows);)
};
/// A replica took over that had not got the newest `lost_writes` writes: rows and jobs go back (RowChanged "failover",
/// JobWentBack, right behind this), and with the connections go the subscriptions and the script cache.
struct ServerFailedOver {
  std::uint64_t lost_writes;
  COHSIM_EVENT("server failed over", visit("lost_writes", lost_writes);)
};
/// For `span_us` the server refuses whatever takes memory; 0: no longer.
struct ServerFull {
  DurationUs span_us;
  COHSIM_EVENT("server full", visit("span_us", span_us);)
};
/// For `span_us` the server hears nobody: a command takes that long, or a script `hangs`, behind whose threshold
/// everybody else is told BUSY. 0: no longer.
struct ServerSlow {
  DurationUs span_us; bool hangs;
  COHSIM_EVENT("server slow", visit("span_us", span_us); visit("hangs", hangs);)
};
/// A replica answered a read of a row, as it stood so long ago.
struct ReplicaRead {
  Actor node; Bytes key; DurationUs behind_us;
  COHSIM_EVENT("replica read", visit("node", node); visit("key", key); visit("behind_us", behind_us);)
};
struct ScriptsFlushed { COHSIM_EVENT("scripts flushed") };
struct ScriptLoaded {  ///< a client met NOSCRIPT and loaded the script
  Actor node;
  COHSIM_EVENT("script loaded", visit("node", node);)
};

// Connections ----------------------------------------------------------------------------------------------------------
struct RequestSent {
  Actor node; std::uint32_t connection; std::uint32_t epoch; std::uint64_t request;
  COHSIM_EVENT("request", visit("node", node); visit("connection", connection); visit("epoch", epoch);
               visit("request", request);)
};
struct RequestRan {
  Actor node; std::uint32_t connection; std::uint32_t epoch; std::uint64_t request; bool late;
  COHSIM_EVENT("ran", visit("node", node); visit("connection", connection); visit("epoch", epoch);
               visit("request", request); visit("late", late);)
};
/// A reply was handed to a waiter. `waiting`: the request it waits for; `reply`: the request that caused the reply.
struct ReplyUsed {
  Actor node; std::uint32_t connection; std::uint32_t epoch; std::uint64_t waiting; std::uint64_t reply;
  COHSIM_EVENT("reply", visit("node", node); visit("connection", connection); visit("epoch", epoch);
               visit("waiting", waiting); visit("reply", reply);)
};
struct ConnectionBroke {
  Actor node; std::uint32_t connection; std::uint32_t epoch; Bytes why;
  COHSIM_EVENT("connection broke", visit("node", node); visit("connection", connection); visit("epoch", epoch);
               visit("why", why);)
};
struct ConnectionUp {
  Actor node; std::uint32_t connection; std::uint32_t epoch;
  COHSIM_EVENT("connection up", visit("node", node); visit("connection", connection); visit("epoch", epoch);)
};

// Messages -------------------------------------------------------------------------------------------------------------
// lane: 1 broadcast (server to a subscriber), 2 job (a claimed job on its way to its handler).
#define COHSIM_MESSAGE_FIELDS                                                                                  \
  visit("message", message); visit("copy_of", copy_of); visit("from", from); visit("to", to);                  \
  visit("lane", lane_name(lane)); visit("table", table.name); visit("bytes", bytes);
struct MessageSent {
  std::uint64_t message; std::uint64_t copy_of; Actor from; Actor to; std::uint8_t lane; TableRef table; Bytes bytes;
  COHSIM_EVENT("message sent", COHSIM_MESSAGE_FIELDS)
};
struct MessageDuplicated {
  std::uint64_t message; std::uint64_t copy_of; Actor from; Actor to; std::uint8_t lane; TableRef table; Bytes bytes;
  COHSIM_EVENT("message duplicated", COHSIM_MESSAGE_FIELDS)
};
struct MessageDropped {  ///< cause: chance, partition, away, discarded, node_down (ring_full is RingOffered)
  std::uint64_t message; std::uint64_t copy_of; Actor from; Actor to; std::uint8_t lane; TableRef table; Bytes bytes;
  Bytes cause;
  COHSIM_EVENT("message dropped", COHSIM_MESSAGE_FIELDS visit("cause", cause);)
};
struct MessageDelivered {
  std::uint64_t message; std::uint64_t copy_of; Actor from; Actor to; std::uint8_t lane; TableRef table; Bytes bytes;
  bool overtook;
  COHSIM_EVENT("message delivered", COHSIM_MESSAGE_FIELDS visit("overtook", overtook);)
};
struct MessageHeld {
  std::uint64_t message; std::uint64_t copy_of; Actor from; Actor to; std::uint8_t lane; TableRef table; Bytes bytes;
  COHSIM_EVENT("message held", COHSIM_MESSAGE_FIELDS)
};
struct MessageDelayed {
  std::uint64_t message; std::uint64_t copy_of; Actor from; Actor to; std::uint8_t lane; TableRef table; Bytes bytes;
  DurationUs delay_us;
  COHSIM_EVENT("message delayed", COHSIM_MESSAGE_FIELDS visit("delay_us", delay_us);)
};
#undef COHSIM_MESSAGE_FIELDS
/// A delivered broadcast that is no message: ignored.
struct MessageMalformed {
  Actor node; TableRef table; Bytes bytes; std::uint8_t lane;
  COHSIM_EVENT("malformed", visit("node", node); visit("table", table.name); visit("bytes", bytes);
               visit("lane", lane_name(lane));)
};
struct RingOffered {
  Actor node; TableRef table; Bytes id; Bytes version; bool accepted; std::uint64_t waiting;
  COHSIM_EVENT("ring", visit("node", node); visit("table", table.name); visit("id", id); visit("version", version);
               visit("accepted", accepted); visit("waiting", waiting);)
};
struct RingDrained {
  Actor node; TableRef table; std::uint64_t count;
  COHSIM_EVENT("ring drained", visit("node", node); visit("table", table.name); visit("count", count);)
};

// The job lane, as the server sees it ----------------------------------------------------------------------------------
struct JobEnqueued {  ///< `state`: the row just before; not absent: duplicate. `queued`: a row was written
  Bytes queue; Bytes job; Bytes payload; Bytes group; JobState state; bool queued; bool answered_duplicate;
  COHSIM_EVENT("enqueue", visit("queue", queue); visit("job", job); visit("payload", payload); visit("group", group);
               visit("state", name_of(state)); visit("queued", queued);
               visit("answered_duplicate", answered_duplicate);)
};
struct JobClaimed {
  Actor node; Bytes queue; Bytes job; Bytes payload; std::int64_t token; std::int64_t deadline_ms;
  std::int64_t attempts = 0;  // not printed
  COHSIM_EVENT("claim", visit("node", node); visit("queue", queue); visit("job", job); visit("payload", payload);
               visit("token", token); visit("deadline_ms", deadline_ms);)
};
/// complete or retry ran at the server. Before: the row's attempts and state; after: the same.
struct JobSettled {
  Actor node; Bytes queue; Bytes job; Bytes verb; std::int64_t token;
  JobState before; std::int64_t attempts_before; JobState after; std::int64_t attempts_after; Outcome answered;
  COHSIM_EVENT("settle job", visit("node", node); visit("queue", queue); visit("job", job); visit("verb", verb);
               visit("token", token); visit("before", name_of(before)); visit("attempts_before", attempts_before);
               visit("after", name_of(after)); visit("attempts_after", attempts_after);
               visit("answered", name_of(answered));)
};
struct JobMoved {  ///< reap or promote put it back to pending
  Bytes queue; Bytes job; Bytes verb; std::int64_t attempts;
  COHSIM_EVENT("job moved", visit("queue", queue); visit("job", job); visit("verb", verb); visit("attempts", attempts);)
};
struct JobWentBack {  ///< a failover lost what was done with it; as it stands now. `token`: of its last claim then
  Bytes queue; Bytes job; Bytes payload; JobState state; std::int64_t attempts; std::int64_t token;
  COHSIM_EVENT("job went back", visit("queue", queue); visit("job", job); visit("payload", payload);
               visit("state", name_of(state)); visit("attempts", attempts); visit("token", token);)
};
// ... and as its callers see it.
struct BusAnswered {  ///< verb: enqueue, complete, retry
  Actor node; Bytes queue; Bytes job; Bytes verb; Outcome outcome;
  COHSIM_EVENT("bus answered", visit("node", node); visit("queue", queue); visit("job", job); visit("verb", verb);
               visit("outcome", name_of(outcome));)
};
struct HandlerBegan {
  Actor node; TableRef table; Bytes job; std::int64_t token; Bytes payload;
  COHSIM_EVENT("handler began", visit("node", node); visit("table", table.name); visit("job", job);
               visit("token", token); visit("payload", payload);)
};
struct HandlerEnded {
  Actor node; TableRef table; Bytes job; std::int64_t token; bool raised; Bytes why;
  COHSIM_EVENT("handler ended", visit("node", node); visit("table", table.name); visit("job", job);
               visit("token", token); visit("raised", raised); visit("why", why);)
};

// The journal ----------------------------------------------------------------------------------------------------------
/// A transaction was handed to the disk. `transaction` counts per node and table from 1 and goes on after a recovery
/// from what was recovered. For compact: `intents` lists what goes. For record: what comes (several with record_many).
struct JournalAttempted {
  Actor node; TableRef table; std::uint64_t transaction; JournalWrite write;
  const std::vector<JournalContents::Intent>* intents;  ///< record, compact; for mark_enqueued the one marked
  Bytes id; Bytes version;                              ///< remember
  COHSIM_EVENT("journal writes", visit("node", node); visit("table", table.name); visit("transaction", transaction);
               visit("write", name_of(write)); visit("intents", intents->size());
               visit("job", intents->empty() ? Bytes() : Bytes(intents->front().job)); visit("id", id);
               visit("version", version);)
};
struct JournalCommitted {  ///< its caller was told so
  Actor node; TableRef table; std::uint64_t transaction;
  COHSIM_EVENT("journal committed", visit("node", node); visit("table", table.name); visit("transaction", transaction);)
};
struct JournalSynced {  ///< everything up to `transaction` is safe from a power loss
  Actor node; TableRef table; std::uint64_t transaction;
  COHSIM_EVENT("journal synced", visit("node", node); visit("table", table.name); visit("transaction", transaction);)
};
struct JournalFailed {  ///< its caller was told so, and nothing of it is kept
  Actor node; TableRef table; std::uint64_t transaction;
  COHSIM_EVENT("journal failed", visit("node", node); visit("table", table.name); visit("transaction", transaction);)
};
/// From now on a power loss may take what the journal, or we, take for safe: the failed syncs dropped their pages.
struct SyncFailed {
  Actor node; TableRef table; std::uint64_t syncs;
  COHSIM_EVENT("sync failed", visit("node", node); visit("table", table.name); visit("syncs", syncs);)
};
/// SQLite's calls to the disk since the last such event. The digest is of operations, files, offsets and sizes.
struct DiskCalls {
  Actor node; TableRef table; std::uint64_t reads; std::uint64_t changes; std::uint64_t digest;
  COHSIM_EVENT("disk calls", visit("node", node); visit("table", table.name); visit("reads", reads);
               visit("changes", changes); visit("digest", static_cast<std::int64_t>(digest));)
};
/// The process died in this commit, or in the checkpoint behind it, after so many calls that change a file at most.
struct DiedInCommit {
  Actor node; TableRef table; std::uint64_t transaction; std::uint64_t calls; bool written;
  COHSIM_EVENT("died in commit", visit("node", node); visit("table", table.name); visit("transaction", transaction);
               visit("calls", calls); visit("written", written);)
};
/// A power loss left parts of writes, or took what failed syncs had dropped, in so many files each.
struct DiskHarmed {
  Actor node; std::uint64_t torn; std::uint64_t dropped;
  COHSIM_EVENT("disk harmed", visit("node", node); visit("torn", torn); visit("dropped", dropped);)
};
struct JournalSetAside {  ///< what recovery found could not be read; the journal begins anew, empty
  Actor node; TableRef table;
  COHSIM_EVENT("journal set aside", visit("node", node); visit("table", table.name);)
};
struct JournalRecovered {
  Actor node; TableRef table; std::uint64_t transactions; bool after_power_loss; const JournalContents* contents;
  COHSIM_EVENT("journal recovered", visit("node", node); visit("table", table.name);
               visit("transactions", transactions); visit("after_power_loss", after_power_loss);
               visit("intents", contents->intents.size()); visit("applied", contents->applied.size());)
};
/// apply_and_remember: everything that the same fiber notes between Began and Ended is that call's doing.
struct JournalCallBegan {
  Actor node; TableRef table; Bytes id; Bytes version; MaybeBytes remembered;
  COHSIM_EVENT("apply_and_remember", visit("node", node); visit("table", table.name); visit("id", id);
               visit("version", version); visit("remembered", remembered);)
};
struct JournalCallEnded {
  Actor node; TableRef table; Bytes id; Bytes version; JournalVerdict verdict;
  COHSIM_EVENT("apply_and_remember ended", visit("node", node); visit("table", table.name); visit("id", id);
               visit("version", version); visit("verdict", name_of(verdict));)
};
struct IntentReplayed {
  Actor node; TableRef table; std::int64_t seq; Bytes job; Bytes id; Bytes version; Outcome outcome;
  COHSIM_EVENT("replayed", visit("node", node); visit("table", table.name); visit("seq", seq); visit("job", job);
               visit("id", id); visit("version", version); visit("outcome", name_of(outcome));)
};
struct ReplayBegan {
  Actor node; TableRef table;
  COHSIM_EVENT("replay began", visit("node", node); visit("table", table.name);)
};
struct ReplayEnded {
  Actor node; TableRef table; std::uint64_t replayed; std::uint64_t deduplicated;
  COHSIM_EVENT("replay ended", visit("node", node); visit("table", table.name); visit("replayed", replayed);
               visit("deduplicated", deduplicated);)
};

}  // namespace event
#undef COHSIM_EVENT

/// The list of all events, for whoever needs one function per type.
#define COHSIM_ALL_EVENTS(X)                                                                                       \
  X(NodeStarted) X(NodeCrashed) X(NodeLeft) X(ClockStepped) X(Partitioned) X(SettleBegan) X(SettleEnded)           \
  X(ExpectationChecked) X(InvariantBroke) X(Minted) X(Committed) X(WriteEnded) X(KindRefused) X(L1Changed)         \
  X(OwnerDied) X(CoherenceApplied) X(FetchEnded) X(FlightBegan) X(FlightJoined) X(FlightEnded) X(WaiterAnswered)   \
  X(FullSkip) X(RowChanged) X(WriteRefused) X(FillSent) X(ScriptRan) X(DropAnswered) X(ServerRestarted) X(ScriptsFlushed) X(ScriptLoaded)      \
  X(RequestSent) X(RequestRan) X(ReplyUsed) X(ConnectionBroke) X(ConnectionUp) X(MessageSent)                      \
  X(MessageDuplicated) X(MessageDropped) X(MessageDelivered) X(MessageHeld) X(MessageDelayed) X(MessageMalformed)  \
  X(RingOffered) X(RingDrained) X(JobEnqueued) X(JobClaimed) X(JobSettled) X(JobMoved) X(BusAnswered)              \
  X(HandlerBegan) X(HandlerEnded) X(JournalAttempted) X(JournalCommitted) X(JournalSynced) X(JournalRecovered)     \
  X(JournalCallBegan) X(JournalCallEnded) X(IntentReplayed) X(ReplayBegan) X(ReplayEnded) X(JournalFailed)          \
  X(SyncFailed) X(DiskCalls) X(DiedInCommit) X(DiskHarmed) X(JournalSetAside)                             \
  X(NodePaused) X(ClockDrifts) X(LoaderStruck) X(ServerFailedOver) X(JobWentBack)                          \
  X(FlightRead) X(OperationStopped) X(OperationResumed) X(ServerFull) X(ServerSlow) X(ReplicaRead)

/// Sees every event, typed. Overrides what it cares for (with `using Observer::on;` to keep the rest).
class Observer {
 public:
  virtual ~Observer() = default;
#define COHSIM_ON(type) \
  virtual void on(const When&, const event::type&) {}
  COHSIM_ALL_EVENTS(COHSIM_ON)
#undef COHSIM_ON
};

}  // namespace cohsim
