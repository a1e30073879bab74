// What the tests of the network share: a network with a log of all that it tells.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/network.h"
#include "sim/scripted_strategy.h"

namespace cohsim::network_bench {

using Lines = std::vector<std::string>;

struct Log final : NetworkObserver, MessageSink {
  Lines lines;
  std::map<Actor, DropCause> refusing;

  void message_sent(const Message& m) override { lines.push_back("sent " + m.bytes); }
  void message_duplicated(const Message& m, const Message& copy) override {
    lines.push_back(fmt::format("copied {} {}", m.bytes, copy.copy_of == m.id && copy.id != m.id));
  }
  void message_dropped(const Message& m, DropCause cause) override {
    lines.push_back(fmt::format("dropped {} {}", m.bytes, name_of(cause)));
  }
  void message_delivered(const Message& m, bool overtook) override {
    lines.push_back(fmt::format("{} {}", overtook ? "overtook" : "delivered", m.bytes));
  }
  void message_held(const Message& m) override { lines.push_back("held " + m.bytes); }
  void message_delayed(const Message& m, DurationUs by) override { lines.push_back(fmt::format("delayed {} {}", m.bytes, by)); }
  void request_sent(ConnectionId, std::uint32_t, std::uint64_t) override {}
  void request_ran(ConnectionId, std::uint32_t, std::uint64_t, bool is_late) override { late = is_late; }
  void reply_used(ConnectionId, std::uint32_t, std::uint64_t waiting, std::uint64_t reply) override {
    if (waiting != reply) lines.push_back(fmt::format("reply {} used by {}", reply, waiting));
  }
  void connection_broke(ConnectionId id, std::uint32_t, std::string_view why) override {
    lines.push_back(fmt::format("{} broke: {}", id, why));
  }
  void connection_up(ConnectionId id, std::uint32_t epoch) override { lines.push_back(fmt::format("{} up, epoch {}", id, epoch)); }
  std::optional<DropCause> refusal(const Message& m) const override {
    const auto found = refusing.find(m.to);
    return found == refusing.end() ? std::nullopt : std::optional(found->second);
  }
  void deliver(const Message&) override {}

  bool late = false;
};

struct Bench {
  ScriptedStrategy strategy;
  Choices choices{strategy};
  Log log;
  Scheduler scheduler{choices};
  Network network{scheduler, choices, log, log};

  struct Echo final : Request {
    Echo(Bench& the_bench, std::string the_name) : bench(the_bench), name(std::move(the_name)) {}
    void run() override {
      bench.log.lines.push_back((bench.log.late ? "ran late " : "ran ") + name);
      if (then) then();
    }
    Bench& bench;
    std::string name;
    std::function<void()> then;
  };

  static Task<void> asking(Bench& bench, ConnectionId id, std::string name, std::function<void()> then) {
    auto request = std::make_unique<Echo>(bench, name);
    request->then = std::move(then);
    Task<Answer> calling = bench.network.call(id, std::move(request));
    Answer answer = co_await calling;
    const std::string got = answer ? static_cast<Echo&>(*answer).name : "disconnected";
    bench.log.lines.push_back(name + " got " + got);
  }
  FiberId ask(ConnectionId id, std::string name, std::function<void()> then = {}) {
    return scheduler.spawn(network.client_of(id), asking(*this, id, std::move(name), std::move(then)));
  }
  std::uint64_t post(Actor to, std::string bytes, Actor from = 3) {
    Message message;
    message.from = from;
    message.to = to;
    message.lane = 1;
    message.bytes = std::move(bytes);
    return network.post(std::move(message));
  }
  /// Runs what is due within `by`, and answers what was logged since.
  Lines run(DurationUs by) {
    const TimeUs until = scheduler.now() + by;
    while (scheduler.step(until)) {
    }
    scheduler.advance_to(until);
    return std::exchange(log.lines, {});
  }
};

inline Network::Filter everything() {
  return [](const Message&) { return true; };
}
inline Network::Filter only(std::string bytes) {
  return [bytes](const Message& message) { return message.bytes == bytes; };
}

}  // namespace cohsim::network_bench
