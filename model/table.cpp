#include "model/table.h"

#include "model/message.h"

namespace cohsim {

Table::Table(NodeContext& node, Client& client, const SourceOfTruth& truth, Minter minter, std::uint16_t index)
    : node_(node),
      client_(client),
      truth_(truth),
      minter_(std::move(minter)),
      ref_{index, node.scenario.tables[index].name},
      settings_(node.scenario.tables[index]),
      owner_(node.scheduler) {}

bool Table::is_kind(std::string_view id) const {
  // Defect: the kind is not looked at.
  return is_branded(id) && (node_.run.defect == Defect::kind_unchecked || id.substr(0, namespace_size) == settings_.kind);
}

bool Table::refuse_kind(std::string_view id, std::string_view verb) {
  if (is_kind(id)) return false;
  node_.note(event::KindRefused{node_.actor, ref_, id, verb});
  return true;
}

// Rows -----------------------------------------------------------------------------------------------------------------

bool Table::expired(const L1Row& row) const {
  return !node_.run.expiry_suspended && row.expires_at <= node_.monotonic_us();
}

const L1Row* Table::peek(std::string_view id) const {
  const auto found = rows_.find(id);
  return found == rows_.end() || expired(found->second) ? nullptr : &found->second;
}

L1Row* Table::live_row(std::string_view id) { return const_cast<L1Row*>(std::as_const(*this).peek(id)); }

std::vector<std::string> Table::ids() const {
  std::vector<std::string> all;
  for (const auto& [id, row] : rows_) {
    if (!expired(row)) all.push_back(id);
  }
  return all;
}

bool Table::make_room() {
  if (rows_.size() < settings_.max_size) return true;
  for (auto row = rows_.begin(); row != rows_.end();) {
    const auto next = std::next(row);
    if (expired(row->second)) {
      const std::string id = row->first;
      remove(id, L1Cause::reclaimed);
    }
    row = next;
  }
  return rows_.size() < settings_.max_size;
}

void Table::insert(const std::string& id, const std::string& version, const std::string& value, L1Cause why) {
  const L1Row* old = live_row(id);
  if (rows_.find(id) == rows_.end() && !make_room()) {
    ++counters_.full_skips;
    node_.note(event::FullSkip{node_.actor, ref_, id});
    return;
  }
  const std::int64_t spread = settings_.ttl_us / 1000 * settings_.jitter_ppm / 1000;
  const std::int64_t jitter = node_.choices.between(Site::row_jitter, node_.actor, -spread, spread);
  const std::optional<std::string> before = old ? std::optional(old->version) : std::nullopt;
  rows_[id] = L1Row{version, value, node_.monotonic_us() + settings_.ttl_us + jitter};
  node_.note(event::L1Changed{node_.actor, ref_, id, before, version, value, why});
}

void Table::remove(const std::string& id, L1Cause why) {
  const auto found = rows_.find(id);
  if (found == rows_.end()) return;
  const std::string version = found->second.version;
  rows_.erase(found);
  node_.note(event::L1Changed{node_.actor, ref_, id, version, std::nullopt, std::nullopt, why});
}

void Table::sweep() {
  if (node_.run.expiry_suspended) return;
  ++counters_.sweeps;
  for (auto row = rows_.begin(); row != rows_.end();) {
    const auto next = std::next(row);
    if (expired(row->second)) {
      ++counters_.swept;
      const std::string id = row->first;
      remove(id, L1Cause::expired);
    }
    row = next;
  }
}

// Coherence ------------------------------------------------------------------------------------------------------------

bool Table::supersedes(std::string_view version, std::string_view held) const {
  // Defect: "not older" instead of "newer".
  if (node_.run.defect == Defect::l1_drops_equal) return !newer(held, version);
  // Defect: the namespaces are compared too.
  if (node_.run.defect == Defect::l1_compares_namespaces && version.substr(0, 3) < held.substr(0, 3)) return false;
  return newer(version, held);
}

Verdict Table::apply(const std::string& id, const std::string& version, Lane lane) {
  overtake(id);
  const L1Row* row = live_row(id);
  const std::optional<std::string> held = row ? std::optional(row->version) : std::nullopt;
  const Verdict verdict = held && supersedes(version, *held) ? Verdict::applied : Verdict::stale;
  if (verdict == Verdict::applied) {
    remove(id, L1Cause::coherence);
    ++counters_.coh_applied;
  } else {
    ++counters_.coh_stale;
  }
  const L1Row* left = live_row(id);
  const std::optional<std::string> kept = left ? std::optional(left->version) : std::nullopt;
  node_.note(event::CoherenceApplied{node_.actor, ref_, id, version, held, kept, verdict,
                                     static_cast<std::uint8_t>(lane)});
  return verdict;
}

Verdict Table::apply_from_ring(const std::string& id, const std::string& version) {
  return apply(id, version, Lane::broadcast);
}

Task<Table::ApplyResult> Table::apply_coherence(std::string id, std::string version) {
  if (refuse_kind(id, "apply_coherence")) co_return ApplyResult{};
  const OwnerLock::Held held = co_await owner_.acquire();
  if (!held) co_return ApplyResult{};
  co_await node_.operations.at(node_.actor, Point::apply_l1);
  if (!held) co_return ApplyResult{};
  co_return ApplyResult{true, apply(id, version, Lane::job)};
}

// Writes ---------------------------------------------------------------------------------------------------------------

Task<bool> Table::put(std::string id, std::string value, std::string version) {
  if (refuse_kind(id, "put")) co_return false;
  const OwnerLock::Held held = co_await owner_.acquire();
  if (!held) co_return false;
  co_await node_.operations.at(node_.actor, Point::put_set);
  Task<Stored> storing = store_put(id, version + value);
  const Stored stored = co_await storing;
  if (!stored.answered) {
    owner_dies();
    co_return false;
  }
  co_await node_.operations.at(node_.actor, Point::put_l1);
  overtake(id);
  const L1Row* row = live_row(id);
  const bool newer_only = node_.scenario.design.put_write == PutWrite::newer_only;
  if (!newer_only || (stored.stored && (row == nullptr || !newer(row->version, version)))) {
    insert(id, version, value, L1Cause::put);
    co_return true;
  }
  // Something newer stands. It is not inserted in place of this one: a message may have overtaken it on its way here.
  // What is older must not be read by the one who wrote: the next read asks L2.
  const std::string standing = stored.stored ? row->version : stored.standing;
  note_refused(id, version, stored.stored ? "l1" : "l2", "put", standing);
  if (row != nullptr && newer(version, row->version)) remove(id, L1Cause::put);
  co_return true;
}

Task<bool> Table::invalidate(std::string id) {
  if (refuse_kind(id, "invalidate")) co_return false;
  const OwnerLock::Held held = co_await owner_.acquire();
  if (!held) co_return false;
  co_await node_.operations.at(node_.actor, Point::invalidate_del);
  std::vector<std::string> args{"DEL", l2_key(ref_.name, id)};
  if (node_.scenario.design.fill_write == FillWrite::lease) args.push_back(lease_key(ref_.name, id));
  Task<MaybeReply> deleting = client_.command(std::move(args));
  const MaybeReply reply = co_await deleting;
  if (!reply || reply->is_error()) co_return false;
  co_await node_.operations.at(node_.actor, Point::invalidate_l1);
  overtake(id);
  remove(id, L1Cause::invalidate);
  co_return true;
}

// The owner holds the rows and the flights' waiters: with it goes all of that; the flights' own processes end too.
void Table::owner_dies() {
  node_.note(event::OwnerDied{node_.actor, ref_});
  rows_.clear();
  const auto flights = std::exchange(flights_, {});
  for (const auto& [id, flight] : flights) {
    node_.scheduler.kill(flight->fiber);
    end_flight(flight, FetchResult{});
  }
  owner_.fail_all();
}

}  // namespace cohsim
