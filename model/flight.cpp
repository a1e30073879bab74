// The flights of a table: one per name and node, beside the owner until they land.
#include "model/message.h"
#include "model/table.h"

namespace cohsim {

Table::FlightRef Table::board(const std::string& id) {
  const auto found = flights_.find(id);
  // Defect: nobody looks for a flight under way.
  if (found != flights_.end() && node_.run.defect != Defect::second_flight) {
    ++counters_.coalesced;
    return found->second;
  }
  const auto flight = std::make_shared<Flight>();
  flight->number = next_flight_++;
  flight->id = id;
  flights_[id] = flight;
  node_.note(event::FlightBegan{node_.actor, ref_, id, flight->number});
  flight->fiber = node_.scheduler.spawn(node_.actor, fly(flight), node_.scheduler.operation());
  return flight;
}

Task<FetchResult> Table::fetch(std::string id) {
  const TimeUs began = node_.scheduler.now();
  if (refuse_kind(id, "fetch")) {
    node_.note(event::FetchEnded{node_.actor, ref_, id, FetchOutcome::refused, {}, {}, began});
    co_return FetchResult{FetchOutcome::refused, {}, {}};
  }
  if (const L1Row* row = live_row(id)) {
    ++counters_.hits;
    const FetchResult hit{FetchOutcome::hit, row->version, row->value};
    node_.note(event::FetchEnded{node_.actor, ref_, id, hit.outcome, hit.version, hit.value, began});
    co_return hit;
  }
  ++counters_.misses;
  const FlightRef flight = board(id);
  const std::uint64_t waiter = next_waiter_++;
  flight->waiters.emplace_back(waiter, node_.scheduler.waker());
  node_.note(event::FlightJoined{node_.actor, ref_, id, flight->number, waiter});
  co_await node_.scheduler.park();
  const FetchResult& result = flight->result;
  node_.note(event::WaiterAnswered{node_.actor, flight->number, waiter, result.outcome});
  const bool answered = result.outcome == FetchOutcome::l2_hit || result.outcome == FetchOutcome::loaded;
  const std::optional<std::string_view> version = answered ? std::optional<std::string_view>(result.version) : std::nullopt;
  const std::optional<std::string_view> value = answered ? std::optional<std::string_view>(result.value) : std::nullopt;
  node_.note(event::FetchEnded{node_.actor, ref_, id, result.outcome, version, value, began});
  co_return result;
}

void Table::end_flight(const FlightRef& flight, FetchResult result) {
  flight->ended = true;
  flight->result = std::move(result);
  const auto found = flights_.find(flight->id);
  if (found != flights_.end() && found->second == flight) flights_.erase(found);
  const std::optional<std::string_view> version =
      flight->result.version.empty() ? std::nullopt : std::optional<std::string_view>(flight->result.version);
  node_.note(event::FlightEnded{node_.actor, ref_, flight->id, flight->number, flight->result.outcome, version});
  // Defect: one too few are answered.
  if (node_.run.defect == Defect::waiter_forgotten && flight->waiters.size() > 1) flight->waiters.pop_back();
  for (const auto& [number, waker] : flight->waiters) node_.scheduler.wake(waker);
}

Task<void> Table::fly(FlightRef flight) {
  const Design& design = node_.scenario.design;
  // A lease is younger than its flight, and so is then the version: minted behind the miss, once the lease is there.
  const bool at_start = design.fill_version == FillVersion::start && design.fill_write != FillWrite::lease;
  const std::string minted = at_start ? minter_(ref_) : std::string();
  Task<FetchResult> reading = read_through(flight, minted);
  FetchResult result = co_await reading;
  end_flight(flight, std::move(result));
}

Task<FetchResult> Table::read_through(FlightRef flight, std::string minted) {
  co_await node_.operations.at(node_.actor, Point::flight_get);
  Task<MaybeReply> getting = read_row(flight);
  const MaybeReply reply = co_await getting;
  if (!reply || reply->is_error()) co_return FetchResult{};
  // Defect: both halves are cut one byte late.
  const std::size_t offset = node_.run.defect == Defect::frame_off_by_one && !reply->text.empty() ? 1 : 0;
  const std::optional<Frame> frame = parse_frame(std::string_view(reply->text).substr(offset));
  note_read(*flight, "l2", frame);
  if (reply->kind == valkey::Reply::Kind::nil || !flight->lease.empty()) {
    const Design& design = node_.scenario.design;
    if (design.fill_version == FillVersion::start && minted.empty()) minted = minter_(ref_);
    Task<FetchResult> loading = load(flight, std::move(minted));
    FetchResult loaded = co_await loading;
    co_return loaded;
  }
  if (!frame) co_return FetchResult{FetchOutcome::corrupt, {}, {}};
  ++counters_.l2_hits;
  Task<bool> landing = land(flight, frame->version, frame->value);
  const bool landed = co_await landing;
  if (!landed) co_return FetchResult{};
  co_return FetchResult{FetchOutcome::l2_hit, frame->version, frame->value};
}

Table::LoaderTrouble Table::draw_loader_trouble(const std::string& id) {
  const LoaderFaults& faults = node_.faults.loader(node_.scheduler.now(), node_.actor, ref_.index);
  Choices& choices = node_.choices;
  LoaderTrouble trouble;
  const bool on = node_.faults.on();  // what steps asked for rests during a settle, as rates do
  trouble.fails = (on && std::exchange(node_.fail_load, false)) || choices.chance(Site::loader_fail, node_.actor, faults.fail);
  if (trouble.fails) node_.note(event::LoaderStruck{node_.actor, ref_, id, "failed", 0});
  if (choices.chance(Site::loader_slow, node_.actor, faults.slow)) {
    const DurationRange& by = faults.slow_by;
    trouble.slower_us = choices.between(Site::loader_slow_span, node_.actor, by.low_us, by.high_us);
    node_.note(event::LoaderStruck{node_.actor, ref_, id, "slow", trouble.slower_us});
  }
  if (on) trouble.behind_us = node_.run.source_lag_us;
  if (choices.chance(Site::loader_stale, node_.actor, faults.stale)) {
    trouble.behind_us = choices.between(Site::loader_lag, node_.actor, faults.lag.low_us, faults.lag.high_us);
  }
  if (trouble.behind_us != 0) node_.note(event::LoaderStruck{node_.actor, ref_, id, "stale", trouble.behind_us});
  return trouble;
}

void Table::note_read(const Flight& flight, std::string_view layer, const std::optional<Frame>& found) {
  const auto version = found ? std::optional<std::string_view>(found->version) : std::nullopt;
  const auto value = found ? std::optional<std::string_view>(found->value) : std::nullopt;
  node_.note(event::FlightRead{node_.actor, ref_, flight.id, flight.number, layer, version, value});
}

Task<FetchResult> Table::load(FlightRef flight, std::string minted) {
  co_await node_.operations.at(node_.actor, Point::flight_load);
  const DurationRange& latency = node_.scenario.loader.latency;
  const DurationUs usual = node_.choices.between(Site::loader_latency, node_.actor, latency.low_us, latency.high_us);
  const LoaderTrouble trouble = draw_loader_trouble(flight->id);
  const DurationUs there = usual + trouble.slower_us;
  const DurationUs before = node_.choices.between(Site::loader_latency, node_.actor, 0, there);
  co_await node_.scheduler.sleep(before);
  const Truth* truth = truth_.find_at(node_.scheduler.now() - trouble.behind_us, ref_.index, flight->id);
  const std::string value = truth ? truth->value : std::string();
  const bool from_source = node_.scenario.design.fill_version == FillVersion::source;
  const std::string version = from_source && truth ? truth->version : minted;
  const bool exists = truth != nullptr;
  if (!trouble.fails) note_read(*flight, "source", truth ? std::optional(Frame{truth->version, truth->value}) : std::nullopt);
  co_await node_.scheduler.sleep(there - before);
  if (trouble.fails) co_return FetchResult{};
  if (!exists) co_return FetchResult{FetchOutcome::absent, {}, {}};
  co_await node_.operations.at(node_.actor, Point::flight_set);
  if (from_source) node_.note(event::FillSent{node_.actor, ref_, flight->id, version, flight->number});
  Task<Stored> setting = store_fill(flight, version + value);
  const Stored stored = co_await setting;
  if (!stored.answered) co_return FetchResult{};
  if (!stored.stored) {
    Task<FetchResult> refused = land_refused(flight, Frame{version, value}, stored.standing);
    FetchResult standing = co_await refused;
    co_return standing;
  }
  ++counters_.fills;
  Task<bool> landing = land(flight, version, value);
  const bool landed = co_await landing;
  if (!landed) co_return FetchResult{};
  co_return FetchResult{FetchOutcome::loaded, version, value};
}

// L2 refused what was loaded. The row that stands there is as good as one that was read there. Where there is none, those
// who wait get what was loaded, since they asked before it was overtaken; nobody else does: it enters no layer.
Task<FetchResult> Table::land_refused(FlightRef flight, Frame loaded, std::string standing) {
  note_refused(flight->id, loaded.version, "l2", "fill", standing);
  const std::optional<Frame> frame = parse_frame(standing);
  if (!frame) co_return FetchResult{FetchOutcome::loaded, loaded.version, loaded.value};
  ++counters_.l2_hits;
  Task<bool> landing = land(flight, frame->version, frame->value);
  const bool landed = co_await landing;
  if (!landed) co_return FetchResult{};
  co_return FetchResult{FetchOutcome::l2_hit, frame->version, frame->value};
}

Task<bool> Table::land(FlightRef flight, std::string version, std::string value) {
  co_await node_.operations.at(node_.actor, Point::l1_insert);
  const OwnerLock::Held held = co_await owner_.acquire();
  if (!held) co_return false;
  if (may_land(*flight, version)) insert(flight->id, version, value, L1Cause::fill);
  co_return true;
}

// "newer_only" and "lease" hold for both layers. In L1 the flight is its own lease: whatever the table hears of the name
// while it is under way ends it, whichever version is the newer: a version minted at the start says nothing of what the
// loader saw.
bool Table::may_land(const Flight& flight, const std::string& version) {
  const FillWrite setting = node_.scenario.design.fill_write;
  const L1Row* row = live_row(flight.id);
  const bool older = setting == FillWrite::newer_only && row != nullptr && newer(row->version, version);
  if (!older && !(setting == FillWrite::lease && flight.overtaken)) return true;
  note_refused(flight.id, version, "l1", "fill", row ? std::string_view(row->version) : std::string_view());
  return false;
}

void Table::overtake(const std::string& id) {
  const auto found = flights_.find(id);
  if (found != flights_.end()) found->second->overtaken = true;
}

}  // namespace cohsim
