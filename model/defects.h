// Planted defects of the model: switches, each a mistake that a human would make in one line. Each is one
// line where it acts, and properties/defect_table.h says which property must see it. All are off in an honest run.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cohsim {

enum class Defect : std::uint8_t {
  none,
  l1_drops_equal,
  memory_goes_back,
  stale_call_removes,
  stale_job_drops,
  replay_trusts_marks,
  compacts_everything,
  token_ignored,
  enqueue_overwrites,
  second_flight,
  waiter_forgotten,
  any_separator,
  kind_unchecked,
  l1_compares_namespaces,
  recovery_skips_a_record,
  acknowledges_early,
  reply_to_last_waiter,
  drops_unnoted,
  disconnected_is_marked,
  failed_drop_is_remembered,
  mark_lost,
  replay_ignores_coverage,
  remembers_first,
  ring_overwrites,
  frame_off_by_one,
  ttl_lost_on_write,
  memory_compares_namespaces,
  crash_keeps_memory,
  recovery_skips_the_last,
  subscription_not_renewed,
};

struct DefectInfo {
  Defect defect;
  std::string_view name;
  std::string_view wrong;  ///< what the model does instead
};

/// Every defect but `none`, in the order of the enumeration.
inline constexpr std::array<DefectInfo, 29> all_defects{{
    {Defect::l1_drops_equal, "l1_drops_equal", "apply_coherence removes an L1 row of the same version too"},
    {Defect::memory_goes_back, "memory_goes_back", "apply_and_remember compares nothing, and its upsert overwrites"},
    {Defect::stale_call_removes, "stale_call_removes", "a call that answers remembered_stale removes the L1 row"},
    {Defect::stale_job_drops, "stale_job_drops", "a job not newer than the memory is applied all the same"},
    {Defect::replay_trusts_marks, "replay_trusts_marks", "replay leaves out intents that were enqueued once"},
    {Defect::compacts_everything, "compacts_everything", "compaction removes every intent"},
    {Defect::token_ignored, "token_ignored", "complete and retry take any token"},
    {Defect::enqueue_overwrites, "enqueue_overwrites", "enqueue replaces the row that exists"},
    {Defect::second_flight, "second_flight", "a second caller starts a flight instead of joining"},
    {Defect::waiter_forgotten, "waiter_forgotten", "the last of several waiters of a flight is never answered"},
    {Defect::any_separator, "any_separator", "a message may have any byte between its halves"},
    {Defect::kind_unchecked, "kind_unchecked", "public verbs take ids of every namespace"},
    {Defect::l1_compares_namespaces, "l1_compares_namespaces", "L1 keeps a row whose version has a greater namespace"},
    {Defect::recovery_skips_a_record, "recovery_skips_a_record", "recovery of a journal of the model leaves out its second record"},
    {Defect::acknowledges_early, "acknowledges_early", "a journal write is acknowledged before it is written"},
    {Defect::reply_to_last_waiter, "reply_to_last_waiter", "a reply answers the newest request of its connection"},
    {Defect::drops_unnoted, "drops_unnoted", "a message lost by chance is not counted"},
    {Defect::disconnected_is_marked, "disconnected_is_marked", "an enqueue without an answer is marked enqueued"},
    {Defect::failed_drop_is_remembered, "failed_drop_is_remembered",
     "the job lane remembers although drop_l2 did not answer ok"},
    {Defect::mark_lost, "mark_lost", "the mark of an enqueued intent is acknowledged and never written"},
    {Defect::replay_ignores_coverage, "replay_ignores_coverage", "replay brings intents that the memory covers"},
    {Defect::remembers_first, "remembers_first", "the memory is written before the message is applied"},
    {Defect::ring_overwrites, "ring_overwrites", "a full ring takes the new message in place of its oldest"},
    {Defect::frame_off_by_one, "frame_off_by_one", "a row of L2 is cut one byte late: version and value"},
    {Defect::ttl_lost_on_write, "ttl_lost_on_write", "a SET carries no PX: its row stays for ever"},
    {Defect::memory_compares_namespaces, "memory_compares_namespaces",
     "the journal compares a message with its memory by namespace first"},
    {Defect::crash_keeps_memory, "crash_keeps_memory", "a process that crashed finds its L1 rows again"},
    {Defect::recovery_skips_the_last, "recovery_skips_the_last", "recovery of a journal of the model leaves out its last record"},
    {Defect::subscription_not_renewed, "subscription_not_renewed",
     "a connection that comes up again subscribes to nothing"},
}};

}  // namespace cohsim
