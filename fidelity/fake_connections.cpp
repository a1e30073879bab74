#include "fidelity/fake_connections.h"

#include <fmt/format.h>

#include <iterator>

#include "fidelity/frames.h"

namespace cohsim::fidelity {

void append_request(const std::vector<std::string>& args, std::string& bytes) {
  fmt::format_to(std::back_inserter(bytes), "*{}\r\n", args.size());
  for (const std::string& arg : args) {
    fmt::format_to(std::back_inserter(bytes), "${}\r\n", arg.size());
    bytes += arg;
    bytes += "\r\n";
  }
}

ScriptSpeed speed_of_case(std::string_view name) {
  return name == "time-expiry-frozen" || name == "time-pttl-in-script" ? ScriptSpeed{200'000'000, 200'000} : ScriptSpeed{};
}

FakeConnections::FakeConnections(lua::Interpreter& interpreter, const valkey::Personality& personality,
                                 const std::string& collate, const ScriptSpeed& speed)
    : server_(interpreter, settings(personality, collate, speed)) {}

valkey::Server::Settings FakeConnections::settings(const valkey::Personality& personality, const std::string& collate,
                                                   const ScriptSpeed& speed) {
  valkey::Server::Settings settings;
  settings.output = this;
  settings.personality = &personality;
  settings.collate = collate;
  settings.instruction_limit = speed.instruction_limit;
  settings.instructions_per_ms = speed.instructions_per_ms;
  return settings;
}

FakeConnections::Connection& FakeConnections::connection(int number) {
  Connection& found = connections_[number];
  if (found.id == 0) {
    found.id = ++last_id_;
    numbers_[found.id] = number;
  }
  return found;
}

void FakeConnections::send(int number, const std::vector<std::string>& args) {
  std::string bytes;
  if (spoil_.command || spoil_.reply) {
    last_ = args;
    std::vector<std::string> spoilt = args;
    if (spoil_.command) spoil_.command(spoilt);
    append_request(spoilt, bytes);
  } else {
    append_request(args, bytes);
  }
  send_bytes(number, bytes);
}

void FakeConnections::send_bytes(int number, std::string_view bytes) {
  const Connection& sender = connection(number);
  if (!sender.closed) server_.receive(sender.id, bytes, now_us_);
}

std::optional<std::string> FakeConnections::take(int number) {
  Connection& reader = connection(number);
  const std::string_view rest = std::string_view(reader.arrived).substr(reader.taken);
  const std::size_t length = frame_length(rest);
  if (length == 0) return std::nullopt;
  std::string frame(rest.substr(0, length));
  reader.taken += frame.size();
  return frame;
}

void FakeConnections::forget_taken(int number) {
  Connection& reader = connection(number);
  reader.arrived.erase(0, reader.taken);
  reader.taken = 0;
}

std::string FakeConnections::take_all(int number) {
  Connection& reader = connection(number);
  std::string all = reader.arrived.substr(reader.taken);
  reader.arrived.clear();
  reader.taken = 0;
  return all;
}

bool FakeConnections::closed(int number) const {
  const auto place = connections_.find(number);
  return place != connections_.end() && place->second.closed;
}

bool FakeConnections::is_blocked(int number) const {
  const auto place = connections_.find(number);
  return place != connections_.end() && place->second.id != 0 && server_.is_blocked(place->second.id);
}

void FakeConnections::close_all() {
  for (const auto& [number, open] : connections_) {
    if (open.id != 0 && !open.closed) server_.disconnect(open.id);
  }
  connections_.clear();
  numbers_.clear();
}

void FakeConnections::sleep_ms(std::int64_t span) {
  const std::int64_t until = now_us_ + span * 1000;
  for (auto due = server_.next_timeout_us(); due && *due <= until; due = server_.next_timeout_us()) {
    now_us_ = std::max(now_us_, *due);
    server_.advance(now_us_);
  }
  now_us_ = until;
}

void FakeConnections::send(valkey::ClientId client, std::string_view bytes) {
  const auto place = numbers_.find(client);
  if (place == numbers_.end()) return;
  std::string& arrived = connections_[place->second].arrived;
  if (!spoil_.reply) {
    arrived += bytes;
    return;
  }
  std::string spoilt(bytes);
  spoil_.reply(last_, spoilt);
  arrived += spoilt;
}

void FakeConnections::close(valkey::ClientId client) {
  const auto place = numbers_.find(client);
  if (place != numbers_.end()) connections_[place->second].closed = true;
}

}  // namespace cohsim::fidelity
