// Where an operation can be stopped by `stop_before`, and where the scheduler may always run something else.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace cohsim {

/// X(enumerator, "name in scenario files", "what happens next")
#define COHSIM_POINTS(X)                                                                                     \
  X(write_commit, "write.commit", "the minted write goes to the source of truth")                            \
  X(write_put, "write.put", "Table.put begins")                                                              \
  X(write_announce, "write.announce", "the message is published, or intended and enqueued")                  \
  X(put_set, "put.set", "SET goes to L2 (the owner is held)")                                                \
  X(put_l1, "put.l1", "the row is inserted into L1, after its SET")                                          \
  X(flight_get, "flight.get", "a flight reads L2")                                                           \
  X(flight_load, "flight.load", "the loader reads the source of truth")                                      \
  X(flight_set, "flight.set", "a flight writes what it loaded to L2")                                        \
  X(l1_insert, "l1.insert", "a flight inserts what it read into L1")                                         \
  X(invalidate_del, "invalidate.del", "DEL goes to L2")                                                      \
  X(invalidate_l1, "invalidate.l1", "the row is removed from L1, after its DEL")                             \
  X(drop_call, "drop.call", "the script is called (drop_l2)")                                                \
  X(apply_l1, "apply.l1", "apply_coherence compares and removes in L1")                                      \
  X(ring_apply, "ring.apply", "the ring's applier drains its batch")                                         \
  X(journal_record, "journal.record", "the intent is recorded")                                              \
  X(journal_enqueue, "journal.enqueue", "the recorded intent is enqueued")                                   \
  X(journal_mark, "journal.mark", "the enqueued intent is marked")                                           \
  X(journal_apply, "journal.apply", "apply_and_remember has read the memory and applies")                    \
  X(journal_remember, "journal.remember", "the applied version is remembered")                               \
  X(replay_enqueue, "replay.enqueue", "replay enqueues its next intent")                                     \
  X(job_handle, "job.handle", "the handler of a claimed job begins")                                         \
  X(job_complete, "job.complete", "a handled job is completed, or retried when its handler raised")

enum class Point : std::uint8_t {
#define COHSIM_POINT(enumerator, name, text) enumerator,
  COHSIM_POINTS(COHSIM_POINT)
#undef COHSIM_POINT
};

struct PointInfo {
  Point point;
  std::string_view name;
  std::string_view next;  ///< what happens right after it
};
[[nodiscard]] const std::vector<PointInfo>& all_points();
[[nodiscard]] std::string_view name_of(Point point);
[[nodiscard]] std::optional<Point> find_point(std::string_view name);

}  // namespace cohsim
