// A reply is used only by the request that caused it, once, on the connection and in the epoch in which that was sent, and
// after it ran at the server.
#include "properties/oracles/all.h"
#include "properties/oracles/support.h"

namespace cohsim::oracles {

namespace {

class RepliesPairWithRequests final : public Oracle {
 public:
  using Oracle::Oracle;
  using Oracle::on;
  std::string_view property() const override { return "replies_pair_with_requests"; }

  void on(const When&, const event::RequestSent& event) override {
    Connection& connection = at(event.connection);
    connection.node = event.node;
    connection.epoch = event.epoch;
    connection.waiting.push_back({event.request, false});
  }
  void on(const When&, const event::RequestRan& event) override {
    if (Waiting* waiting = find(at(event.connection), event.request); waiting != nullptr) waiting->ran = true;
  }
  void on(const When& when, const event::ReplyUsed& event) override {
    exercise();
    Connection& connection = at(event.connection);
    const Waiting* waiting = find(connection, event.waiting);
    if (event.waiting != event.reply) {
      blame(when, event, fmt::format("got the reply of request {}", event.reply));
    } else if (waiting == nullptr) {
      blame(when, event, "got a reply that it does not wait for any more");
    } else if (connection.epoch != event.epoch || connection.node != event.node) {
      blame(when, event, fmt::format("was sent in epoch {} of the connection", connection.epoch));
    } else if (!waiting->ran) {
      blame(when, event, "got a reply before it ran");
    }
    std::erase_if(connection.waiting, [&](const Waiting& entry) { return entry.request == event.waiting; });
  }
  void on(const When&, const event::ConnectionBroke& event) override { at(event.connection).waiting.clear(); }
  void on(const When&, const event::ConnectionUp& event) override { at(event.connection).waiting.clear(); }

 private:
  struct Waiting {
    std::uint64_t request;
    bool ran;
  };
  struct Connection {
    Actor node = 0;
    std::uint32_t epoch = 0;
    std::vector<Waiting> waiting;  // in the order sent, which is the order of replies
  };

  Connection& at(std::uint32_t connection) {
    if (connection >= connections_.size()) connections_.resize(connection + std::size_t{1});
    return connections_[connection];
  }
  static Waiting* find(Connection& connection, std::uint64_t request) {
    for (Waiting& waiting : connection.waiting) {
      if (waiting.request == request) return &waiting;
    }
    return nullptr;
  }
  void blame(const When& when, const event::ReplyUsed& event, std::string_view what) {
    violate(when, fmt::format("request {} of {} on connection {} epoch {} {}", event.waiting, world().actor_name(event.node),
                              event.connection, event.epoch, what));
  }

  std::vector<Connection> connections_;  // ids are handed out from small numbers upwards
};

}  // namespace

std::unique_ptr<Oracle> make_replies_pair_with_requests(const WorldView& world) {
  return std::make_unique<RepliesPairWithRequests>(world);
}

}  // namespace cohsim::oracles
