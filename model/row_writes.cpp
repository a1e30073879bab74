// How a table's reads and writes reach L2, by the design's settings put_write, fill_write and after_drop: one command, or one
// script that reads, compares and writes in one step.
#include <fmt/format.h>

#include "model/table.h"

namespace cohsim {

namespace {

std::string ttl_ms(const TableSettings& settings) { return std::to_string(settings.ttl_us / us_per_ms); }

}  // namespace

Task<Table::Stored> Table::set_row(std::string id, std::string frame) {
  std::vector<std::string> args{"SET", l2_key(ref_.name, id), std::move(frame), "PX", ttl_ms(settings_)};
  if (node_.run.defect == Defect::ttl_lost_on_write) args.resize(3);  // defect: the row stays for ever
  Task<MaybeReply> setting = client_.command(std::move(args));
  const MaybeReply reply = co_await setting;
  const bool done = reply && !reply->is_error();
  co_return Stored{done, done, {}};
}

// 1: stored; a string: the frame that stands; 0: refused, and nothing stands.
Task<Table::Stored> Table::store_by_script(std::string script, std::vector<std::string> keys,
                                           std::vector<std::string> args) {
  Task<MaybeReply> running = client_.run_script(std::move(script), std::move(keys), std::move(args));
  const MaybeReply reply = co_await running;
  if (!reply || reply->is_error()) co_return Stored{};
  co_return Stored{true, reply->is_integer(1), reply->text};
}

Task<Table::Stored> Table::store_put(std::string id, std::string frame) {
  const Design& design = node_.scenario.design;
  const std::string row = l2_key(ref_.name, id), lease = lease_key(ref_.name, id), ttl = ttl_ms(settings_);
  if (design.put_write == PutWrite::newer_only) {
    return store_by_script("write_newer", {row, floor_key(ref_.name, id), lease}, {frame, ttl});
  }
  if (design.fill_write == FillWrite::lease) return store_by_script("write_and_void", {row, lease}, {frame, ttl});
  return set_row(std::move(id), std::move(frame));
}

Task<Table::Stored> Table::store_fill(FlightRef flight, std::string frame) {
  const Design& design = node_.scenario.design;
  const std::string row = l2_key(ref_.name, flight->id), lease = lease_key(ref_.name, flight->id), ttl = ttl_ms(settings_);
  if (design.fill_write == FillWrite::newer_only) {
    return store_by_script("write_newer", {row, floor_key(ref_.name, flight->id), lease}, {frame, ttl});
  }
  if (design.fill_write == FillWrite::lease) return store_by_script("fill_leased", {row, lease}, {frame, ttl, flight->lease});
  return set_row(flight->id, std::move(frame));
}

// A token is used once, without asking a clock: node, life of its process, flight. The key says which name.
Task<MaybeReply> Table::read_row(FlightRef flight) {
  const std::string row = l2_key(ref_.name, flight->id);
  if (node_.scenario.design.fill_write != FillWrite::lease) {
    std::vector<std::string> args{"GET", row};
    Task<MaybeReply> getting = client_.command(std::move(args));
    MaybeReply reply = co_await getting;
    co_return reply;
  }
  std::vector<std::string> keys{row, lease_key(ref_.name, flight->id)};
  std::vector<std::string> args{fmt::format("{}.{}.{}", node_.actor, node_.life, flight->number),
                                std::to_string(fill_lease_ms)};
  Task<MaybeReply> reading = client_.run_script("read_or_lease", std::move(keys), std::move(args));
  MaybeReply reply = co_await reading;
  if (reply && reply->kind == valkey::Reply::Kind::array && reply->items.size() == 1) flight->lease = reply->items[0].text;
  co_return reply;
}

void Table::note_refused(const std::string& id, std::string_view version, std::string_view layer, std::string_view what,
                         std::string_view standing) {
  const std::optional<std::string_view> met =
      standing.size() < branded_size ? std::nullopt : std::optional(standing.substr(0, branded_size));
  node_.note(event::WriteRefused{node_.actor, ref_, id, version, layer, what, met});
}

}  // namespace cohsim
