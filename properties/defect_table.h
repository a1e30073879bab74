// Which property must find which planted defect. `cohsim power` measures how soon the bundled guarantees do; a test holds
// each row to it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/defects.h"

namespace cohsim {

struct DefectRow {
  Defect defect;
  std::string_view property;  ///< must report it: a guarantee where one can
  std::string_view also;      ///< what else it breaks by its nature, separated by spaces; the rest finds it by accident only
};

/// One a defect, in the order of all_defects.
inline constexpr std::array<DefectRow, all_defects.size()> defect_table{{
    {Defect::l1_drops_equal, "l1_newer_wins", "order_does_not_matter comparators_agree"},
    {Defect::memory_goes_back, "memory_never_goes_back",
     "journal_never_resurrects order_does_not_matter recovery_is_a_prefix comparators_agree"},
    {Defect::stale_call_removes, "remembered_stale_is_inert", ""},
    {Defect::stale_job_drops, "journal_never_resurrects", "comparators_agree"},
    {Defect::replay_trusts_marks, "no_intent_lost", "every_node_hears rows_converge values_converge"},
    {Defect::compacts_everything, "compaction_keeps_uncovered", "no_intent_lost comparators_agree"},
    {Defect::token_ignored, "stale_token_refused", ""},
    {Defect::enqueue_overwrites, "no_duplicate_admission", ""},
    {Defect::second_flight, "one_flight_per_name", ""},
    {Defect::waiter_forgotten, "one_flight_per_name", ""},
    {Defect::any_separator, "malformed_is_ignored", ""},
    {Defect::kind_unchecked, "kind_is_enforced", ""},
    {Defect::l1_compares_namespaces, "order_does_not_matter", "comparators_agree"},
    {Defect::recovery_skips_a_record, "recovery_is_a_prefix", "memory_never_goes_back"},
    {Defect::acknowledges_early, "recovery_is_a_prefix",
     "memory_never_goes_back journal_never_resurrects order_does_not_matter"},
    {Defect::reply_to_last_waiter, "replies_pair_with_requests",
     "frames_are_authentic rows_converge values_converge"},
    {Defect::drops_unnoted, "drops_are_counted", ""},
    {Defect::disconnected_is_marked, "ambiguity_is_kept", ""},
    {Defect::failed_drop_is_remembered, "ambiguity_is_kept", ""},
    {Defect::mark_lost, "recovery_is_a_prefix", ""},
    {Defect::replay_ignores_coverage, "comparators_agree", ""},
    {Defect::remembers_first, "ambiguity_is_kept", "no_intent_lost remembered_rows_stay_gone"},
    {Defect::ring_overwrites, "drops_are_counted", ""},
    {Defect::frame_off_by_one, "frames_are_authentic", "values_converge"},
    {Defect::ttl_lost_on_write, "staleness_bounded", "rows_converge values_converge"},
    {Defect::memory_compares_namespaces, "comparators_agree", "no_intent_lost journal_never_resurrects"},
    {Defect::crash_keeps_memory, "every_node_hears", "rows_converge values_converge"},
    {Defect::recovery_skips_the_last, "recovery_is_a_prefix",
     "memory_never_goes_back no_intent_lost rows_converge values_converge"},
    {Defect::subscription_not_renewed, "every_node_hears", "rows_converge values_converge"},
}};

}  // namespace cohsim
