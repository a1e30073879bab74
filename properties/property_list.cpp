// What `cohsim list` and `explain` say of each property, in the order of properties.md.
#include "properties/oracles/all.h"

namespace cohsim {

// long because: one table, a row a property.
const std::vector<PropertyInfo>& all_properties() {
  using namespace oracles;
  static const std::vector<PropertyInfo> properties = {
      {"no_newer_row_erased", true,
       "whenever :coherence_drop deletes an L2 row of 14 bytes or more, the incoming payload is newer than the row's",
       "Compare the snowflakes of the row and of the message. Usual causes: string comparison under a locale other than C (`cohsim explain locale_collation`), "
       "the namespace taken into the comparison, >= for >, versions compared after a conversion to numbers that loses digits.",
       make_no_newer_row_erased},
      {"newer_message_drops", true,
       "whenever the incoming payload is newer than a present row's, or the row is shorter than 14 bytes, the row is gone "
       "after the call",
       "Look at the branch that the script took. Usual causes: a locale other than C, a short row compared instead of "
       "deleted, DEL of another key, an error before the DEL.",
       make_newer_message_drops},
      {"verdict_is_true", true,
       "the script answers 1 exactly if it deleted a row, 0 exactly if nothing changed: same bytes, same expiry",
       "Compare the row before and after. Usual causes: the reply of DEL not returned, a constant answer, a row written "
       "back without its expiry.",
       make_verdict_is_true},
      {"drop_always_answers", true,
       "a call that a healthy server ran answers the integer 0 or 1, whatever string the row holds and whatever bytes the "
       "message carries",
       "Feed it short, empty and binary rows and messages. Usual causes: comparison with nil or false, arithmetic on what "
       "is no number, an endless loop (the sentence names its line), a status or a bulk string as the answer.",
       make_drop_always_answers},
      {"drop_is_idempotent", true,
       "running it again with the same version, nothing in between, answers 0 and changes nothing",
       "Look at what the first call left behind. Usual causes: >= for >, a marker written in place of the row, a counter.",
       make_drop_is_idempotent},
      {"drop_touches_one_key", true, "the script reads and writes no key but KEYS[1]",
       "The sentence names the other key. Usual causes: a key built inside the script, a statistics counter, a second key "
       "in another slot of a cluster.",
       make_drop_touches_one_key},
      {"l1_newer_wins", true, "a coherence message removes an L1 row only if it is newer than that row",
       "Compare the L1 row and the message. Usual causes: removal without comparison, comparison of whole ids with their "
       "namespace, a comparison made before an await and the removal after it.",
       make_l1_newer_wins},
      {"memory_never_goes_back", true,
       "applied[name] of a node's journal never decreases across process crashes and restarts; after a power loss it is a "
       "value it had before",
       "Follow the remembers of the name. Usual causes: an upsert without comparison, memory acknowledged before it is "
       "written, a recovery that starts from an older file.",
       make_memory_never_goes_back},
      {"remembered_stale_is_inert", true,
       "a call that answers remembered_stale changed, by that call, no row, no counter of the table and no memory",
       "The sentence names what the call did. Usual causes: the cache touched before the memory is read, the drop at the "
       "server run first, a memory refreshed with the same version.",
       make_remembered_stale_is_inert},
      {"journal_never_resurrects", true,
       "nothing that a node's journal does puts a row into L1 or L2 or makes a row's version older; and a message of the "
       "job lane that is not newer than the node's memory removes no row",
       "Look at what ran between the call's or the replay's beginning and end. Usual causes: a replay that puts values "
       "back instead of announcing, a memory that is not consulted, or consulted for another name.",
       make_journal_never_resurrects},
      {"no_intent_lost", true,
       "an intent that was recorded and not dropped by a power loss has been applied or superseded at some time, or stands "
       "in the journal uncovered, or its job is dead and counted; after settle, not merely in the journal",
       "Follow the job id from its record. Usual causes: remembered before applied, a completion without success, "
       "compaction of what was never applied, a replay that skips it or takes `duplicate` for done.",
       make_no_intent_lost},
      {"compaction_keeps_uncovered", true, "compaction removes only intents covered by the applied memory",
       "Compare the removed intent with the node's memory of its name. Usual causes: comparison the wrong way round, "
       "compaction of all enqueued intents, one node's memory taken for another node's queue.",
       make_compaction_keeps_uncovered},
      {"stale_token_refused", true, "complete or retry with a token other than the job's attempts changes nothing",
       "Compare the token with the attempts before. Usual causes: the token not compared, compared with >=, a job found by "
       "id alone.",
       make_stale_token_refused},
      {"no_duplicate_admission", true, "enqueue of a job id whose row exists writes nothing",
       "Look at the state of the row. Usual causes: only pending jobs looked at, a dead row overwritten, check and write "
       "not atomic.",
       make_no_duplicate_admission},
      {"one_flight_per_name", true,
       "at most one flight per name and node is under way, and every waiter whose node lives gets its answer or its error",
       "Follow the flight's id. Usual causes: the flight registered after an await, waiters not told when it fails, a "
       "waiter that joins while the flight lands.",
       make_one_flight_per_name},
      {"malformed_is_ignored", true,
       "bytes that are not a message change no row and no memory; on the job lane they are retried, then dead",
       "The sentence quotes the bytes. Usual causes: a length not checked, an id above 2^63-1 accepted, the first 29 bytes "
       "of more taken for a message, a handler that swallows what it cannot read.",
       make_malformed_is_ignored},
      {"kind_is_enforced", true, "no row of another namespace is read, written or removed by a table",
       "The sentence names the id and the table's kind. Usual causes: a public verb without the check, a check after the "
       "first layer was touched.",
       make_kind_is_enforced},
      {"order_does_not_matter", true,
       "from equal rows and memory, with no other writer between, any order and multiplicity of the same applied messages "
       "leaves equal rows and memory",
       "Look at the messages since the last other write of the row. Usual causes: the last message wins instead of the "
       "newest, a duplicate counted as new, comparison with the last message instead of the row.",
       make_order_does_not_matter},
      {"recovery_is_a_prefix", true,
       "what a journal holds after recovery is a prefix of its attempted commits, whole transactions only; after a process "
       "crash it holds every acknowledged one; not judged is the power loss behind a sync that failed",
       "Compare the recovered content with the transactions before. Usual causes: acknowledged before written, a torn "
       "record taken, several records for one transaction, reading on behind a damaged one.",
       make_recovery_is_a_prefix},
      {"replies_pair_with_requests", true, "a reply is used only by the request that caused it, on the same connection",
       "Compare the two request ids and the epochs. Usual causes: waiters not failed when a connection breaks, a timed out "
       "request whose reply goes to the next one, a connection used again after a restart.",
       make_replies_pair_with_requests},
      {"drops_are_counted", true, "sent + duplicated = delivered + in flight + drops by cause, per lane and receiver",
       "Follow the message's id. Usual causes: a message lost in a queue that nobody drains, a copy with its original's "
       "id, a drop that nobody counts.",
       make_drops_are_counted},
      {"ambiguity_is_kept", true, "only an acknowledged success sets `enqueued`, `applied` or a completion",
       "Look at the answer before the write. Usual causes: a lost connection taken for success, a failed drop that is "
       "remembered all the same, a job completed although its handler raised.",
       make_ambiguity_is_kept},
      {"l2_never_goes_back", false, "the version in an L2 row is never replaced by an older one",
       "See whose SET it was. A fill that read before the newer write, or two puts that reached the server in another order "
       "than they were minted: both SETs are unconditional.",
       make_l2_never_goes_back},
      {"rows_converge", false,
       "after settle, every L1 and L2 row's version is at least the newest committed for its name, or the row is absent",
       "Follow the message of the newest write to the layer that is behind: lost, refused by a full ring, not meant for this "
       "node, or overtaken by a fill.",
       make_rows_converge},
      {"values_converge", false, "after settle, every L1 and L2 row carries the source of truth's value, or is absent",
       "As rows_converge; and look for a fill whose minted version is newer than a write that its loader did not see.",
       make_values_converge},
      {"staleness_bounded", false,
       "no read that began at t returns a value superseded before t - bound; bound: ttl*(2 + jitter) + the longest flight, or "
       "the scenario's staleness_bound",
       "A row lives one ttl in L2 and then one in L1. Beyond that: a fill that goes round again from an old L2 row, or an "
       "expiry that does not happen.",
       make_staleness_bounded},
      {"reads_are_monotonic", false,
       "reads of one name at one node never go back to an older write, without a crash of that node in between",
       "Look at what happened to the L1 row between the two reads: usually a flight that began before the newer row and "
       "inserted after it, or an older L2 row read after L1 expired.",
       make_reads_are_monotonic},
      {"read_your_writes", false, "a node that finished a write reads that value or a later one",
       "As reads_are_monotonic, for the node's own write.", make_read_your_writes},
      {"frames_are_authentic", false,
       "every visible frame is one write's version and value, or a fill's minted version over the newest value that its "
       "loader saw, older than every write it did not see",
       "The sentence names the write that the frame does not know. Usual cause: the fill's version is minted when the flight "
       "starts, and the clocks of nodes differ.",
       make_frames_are_authentic},
      {"fills_respect_invalidations", false,
       "once a layer has processed (name, v), no fill that began earlier makes a version older than v visible there",
       "A flight read before the invalidation and inserts after it: nothing tells it that it is late.",
       make_fills_respect_invalidations},
      {"remembered_rows_stay_gone", false, "no L1 row older than the node's own applied memory is visible at that node",
       "A fill put the older row back after the journal had remembered the newer version: each redelivery of it now answers "
       "remembered_stale.",
       make_remembered_rows_stay_gone},
      {"token_is_one_claim", false, "no two claims of one job id ever hold the same token",
       "The job was completed, its row with its attempts deleted, and enqueued again under the same id.",
       make_token_is_one_claim},
      {"comparators_agree", false,
       "the model, the script under the server's collation and the journal's SQL order any two versions in use the same way, "
       "and call only identical payloads equal",
       "The sentence names the comparator that is out of step. Usual causes: strings compared under a locale other than C in "
       "one place only (`cohsim explain locale_collation`), the namespace compared in one place only, >= beside >.",
       make_comparators_agree},
      {"dedup_is_sound", false,
       "a message is suppressed only if the effect of an equal one has completed or is still due to run",
       "Look at the state of the job row, or at what the journal's memory stands for. Usual causes: a dead job's row that "
       "refuses its replay, a job id that comes again with another message, a version remembered before it was applied.",
       make_dedup_is_sound},
      {"every_node_hears", false,
       "after settle every live node has processed, or holds no row older than, every announced version",
       "Follow the announced version to that node: lost, refused by a full ring, or claimed by another node of a shared "
       "queue.",
       make_every_node_hears},
      {"nothing_is_stuck", false,
       "while a consumer of a queue lives: no lease of a dead holder outlives lease + beat; a job that always fails delays no "
       "other name by more than max attempts * (delay + beat)",
       "See what the living consumers did meanwhile. A consumer reaps and claims between its handlers, and waits for each as "
       "long as a lease lasts: a slow one, or one that never comes, holds up the queue for all.",
       make_nothing_is_stuck},
      {"recovery_does_not_stampede", false,
       "after faults stop, loads of the source of truth stay within nodes * live names per ttl",
       "See what became of the rows that were loaded. Usual causes: replayed messages that remove rows which hold the newest "
       "value under an older version (a clock behind, `fill_version = \"start\"`), fills that no layer keeps.",
       make_recovery_does_not_stampede},
      {"versions_are_unique", false, "no two mints give one version",
       "Look at the clock steps and restarts of the node, and for two nodes with one number.", make_versions_are_unique},
      {"mint_order_is_write_order", false, "a write that commits after another has seen it carries a newer version",
       "Compare the two commits: a writer that paused between mint and commit, or whose clock is behind.",
       make_mint_order_is_write_order},
  };
  return properties;
}

const PropertyInfo* find_property(std::string_view name) {
  for (const PropertyInfo& property : all_properties()) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

}  // namespace cohsim
