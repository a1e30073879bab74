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
  const std::string minted = minter_(ref_);
  Task<FetchResult> reading = read_through(flight, minted);
  FetchResult result = co_await reading;
  end_flight(flight, std::move(result));
}

Task<FetchResult> Table::read_through(FlightRef flight, std::string minted) {
  co_await node_.operations.at(node_.actor, Point::flight_get);
  std::vector<std::string> args{"GET", l2_key(ref_.name, flight->id)};
  Task<MaybeReply> getting = client_.command(std::move(args));
  const MaybeReply reply = co_await getting;
  if (!reply || reply->is_error()) co_return FetchResult{};
  if (reply->kind == valkey::Reply::Kind::nil) {
    Task<FetchResult> loading = load(flight, std::move(minted));
    FetchResult loaded = co_await loading;
    co_return loaded;
  }
  const std::optional<Frame> frame = parse_frame(reply->text);
  if (!frame) co_return FetchResult{FetchOutcome::corrupt, {}, {}};
  ++counters_.l2_hits;
  Task<bool> landing = land(flight, frame->version, frame->value);
  const bool landed = co_await landing;
  if (!landed) co_return FetchResult{};
  co_return FetchResult{FetchOutcome::l2_hit, frame->version, frame->value};
}

Task<FetchResult> Table::load(FlightRef flight, std::string minted) {
  co_await node_.operations.at(node_.actor, Point::flight_load);
  const DurationRange& latency = node_.scenario.loader.latency;
  const DurationUs there = node_.choices.between(Site::loader_latency, node_.actor, latency.low_us, latency.high_us);
  const DurationUs before = node_.choices.between(Site::loader_latency, node_.actor, 0, there);
  co_await node_.scheduler.sleep(before);
  const Truth* truth = truth_.find(ref_.index, flight->id);
  const std::string value = truth ? truth->value : std::string();
  const bool exists = truth != nullptr;
  co_await node_.scheduler.sleep(there - before);
  if (!exists) co_return FetchResult{FetchOutcome::absent, {}, {}};
  co_await node_.operations.at(node_.actor, Point::flight_set);
  Task<MaybeReply> setting = set_row(flight->id, minted + value);
  const MaybeReply reply = co_await setting;
  if (!reply || reply->is_error()) co_return FetchResult{};
  ++counters_.fills;
  Task<bool> landing = land(flight, minted, value);
  const bool landed = co_await landing;
  if (!landed) co_return FetchResult{};
  co_return FetchResult{FetchOutcome::loaded, minted, value};
}

Task<bool> Table::land(FlightRef flight, std::string version, std::string value) {
  co_await node_.operations.at(node_.actor, Point::l1_insert);
  const OwnerLock::Held held = co_await owner_.acquire();
  if (!held) co_return false;
  insert(flight->id, version, value, L1Cause::fill);
  co_return true;
}

}  // namespace cohsim
