// Planted defects of the model: switches, each a mistake that a human would make in one line. With one of them on, the
// property that it names must be violated in some seed, or the gate's oracles are blind. All are off in an honest run.
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
};

struct DefectInfo {
  Defect defect;
  std::string_view name;
  std::string_view wrong;     ///< what the model does instead
  std::string_view violates;  ///< a guarantee of properties.md
};

/// Every defect but `none`, in the order of the enumeration.
inline constexpr std::array<DefectInfo, 19> all_defects{{
    {Defect::l1_drops_equal, "l1_drops_equal", "apply_coherence removes an L1 row of the same version too", "l1_newer_wins"},
    {Defect::memory_goes_back, "memory_goes_back", "apply_and_remember compares nothing, and its upsert overwrites",
     "memory_never_goes_back"},
    {Defect::stale_call_removes, "stale_call_removes", "a call that answers remembered_stale removes the L1 row",
     "remembered_stale_is_inert"},
    {Defect::stale_job_drops, "stale_job_drops", "a job not newer than the memory is applied all the same",
     "journal_never_resurrects"},
    {Defect::replay_trusts_marks, "replay_trusts_marks", "replay leaves out intents that were enqueued once",
     "no_intent_lost"},
    {Defect::compacts_everything, "compacts_everything", "compaction removes every intent", "compaction_keeps_uncovered"},
    {Defect::token_ignored, "token_ignored", "complete and retry take any token", "stale_token_refused"},
    {Defect::enqueue_overwrites, "enqueue_overwrites", "enqueue replaces the row that exists", "no_duplicate_admission"},
    {Defect::second_flight, "second_flight", "a second caller starts a flight instead of joining", "one_flight_per_name"},
    {Defect::waiter_forgotten, "waiter_forgotten", "the last of several waiters of a flight is never answered",
     "one_flight_per_name"},
    {Defect::any_separator, "any_separator", "a message may have any byte between its halves", "malformed_is_ignored"},
    {Defect::kind_unchecked, "kind_unchecked", "public verbs take ids of every namespace", "kind_is_enforced"},
    {Defect::l1_compares_namespaces, "l1_compares_namespaces", "L1 keeps a row whose version has a greater namespace",
     "order_does_not_matter"},
    {Defect::recovery_skips_a_record, "recovery_skips_a_record", "recovery leaves out one record in the middle",
     "recovery_is_a_prefix"},
    {Defect::acknowledges_early, "acknowledges_early", "a journal write is acknowledged before it is written",
     "recovery_is_a_prefix"},
    {Defect::reply_to_last_waiter, "reply_to_last_waiter", "a reply answers the newest request of its connection",
     "replies_pair_with_requests"},
    {Defect::drops_unnoted, "drops_unnoted", "a message lost by chance is not counted", "drops_are_counted"},
    {Defect::disconnected_is_marked, "disconnected_is_marked", "an enqueue without an answer is marked enqueued",
     "ambiguity_is_kept"},
    {Defect::failed_drop_is_remembered, "failed_drop_is_remembered",
     "the job lane remembers although drop_l2 did not answer ok", "ambiguity_is_kept"},
}};

}  // namespace cohsim
