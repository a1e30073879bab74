// One maker an oracle; the file of the same name holds the class. property_list.cpp says what each means.
#pragma once

#include <memory>

#include "properties/oracle.h"

#define COHSIM_GUARANTEES(X)                                                                                      \
  X(no_newer_row_erased) X(newer_message_drops) X(verdict_is_true) X(drop_always_answers) X(drop_is_idempotent)   \
  X(drop_touches_one_key) X(l1_newer_wins) X(memory_never_goes_back) X(remembered_stale_is_inert)                 \
  X(journal_never_resurrects) X(no_intent_lost) X(compaction_keeps_uncovered) X(stale_token_refused)              \
  X(no_duplicate_admission) X(one_flight_per_name) X(malformed_is_ignored) X(kind_is_enforced)                    \
  X(order_does_not_matter) X(recovery_is_a_prefix) X(replies_pair_with_requests) X(drops_are_counted)             \
  X(ambiguity_is_kept)

#define COHSIM_SYSTEM_PROPERTIES(X)                                                                               \
  X(l2_never_goes_back) X(rows_converge) X(values_converge) X(staleness_bounded) X(reads_are_monotonic)           \
  X(read_your_writes) X(frames_are_authentic) X(fills_respect_invalidations) X(remembered_rows_stay_gone)         \
  X(token_is_one_claim) X(comparators_agree) X(dedup_is_sound) X(every_node_hears) X(nothing_is_stuck)            \
  X(recovery_does_not_stampede) X(versions_are_unique) X(mint_order_is_write_order)

namespace cohsim::oracles {

#define COHSIM_MAKER(name) [[nodiscard]] std::unique_ptr<Oracle> make_##name(const WorldView& world);
COHSIM_GUARANTEES(COHSIM_MAKER)
COHSIM_SYSTEM_PROPERTIES(COHSIM_MAKER)
#undef COHSIM_MAKER

}  // namespace cohsim::oracles
