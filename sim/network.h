// Connections that carry ordered requests and replies and can break; links that carry messages and can delay, reorder,
// duplicate, drop and be partitioned. Knows nothing of what the bytes mean.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/choices.h"
#include "sim/scheduler.h"

namespace cohsim {

using ConnectionId = std::uint32_t;

/// A request under way: what runs at the server when it arrives. It keeps its reply in itself and travels back with it.
/// Owned by the network while under way, so it may outlive the node that sent it: hold no reference to a node.
class Request {
 public:
  virtual ~Request() = default;
  virtual void run() = 0;
  std::uint64_t id = 0;            ///< given by the network, unique in the run
  std::uint32_t epoch = 0;         ///< given by the network: of its connection, when it was sent
};

/// Null: the connection was or went down, and nobody can say whether the request ran.
using Answer = std::unique_ptr<Request>;

/// A message on a link. `lane`, `table`, `tag`, `label` and `bytes` are the model's own.
struct Message {
  std::uint64_t id = 0;            ///< given by the network; copies have their own
  std::uint64_t copy_of = 0;       ///< 0: not a copy
  Actor from = 0;                  ///< who meant it
  Actor to = 0;                    ///< whose link it travels
  std::uint8_t lane = 0;
  std::uint16_t table = 0;
  std::uint64_t tag = 0;
  std::string label;
  std::string bytes;
  Waker waiting;                   ///< who waits for it to be handled; generation 0: nobody
};

enum class DropCause : std::uint8_t { chance, partition, away, discarded, node_down, ring_full };
[[nodiscard]] std::string_view name_of(DropCause cause);

/// What the network tells whoever watches: the model turns these into events of the trace.
class NetworkObserver {
 public:
  virtual ~NetworkObserver() = default;
  virtual void message_sent(const Message& message) = 0;
  virtual void message_duplicated(const Message& original, const Message& copy) = 0;
  virtual void message_dropped(const Message& message, DropCause cause) = 0;
  virtual void message_delivered(const Message& message, bool overtook) = 0;
  virtual void message_held(const Message& message) = 0;
  virtual void message_delayed(const Message& message, DurationUs delay_us) = 0;
  virtual void request_sent(ConnectionId connection, std::uint32_t epoch, std::uint64_t request) = 0;
  virtual void request_ran(ConnectionId connection, std::uint32_t epoch, std::uint64_t request, bool late) = 0;
  virtual void reply_used(ConnectionId connection, std::uint32_t epoch, std::uint64_t waiting, std::uint64_t reply) = 0;
  virtual void connection_broke(ConnectionId connection, std::uint32_t epoch, std::string_view why) = 0;
  virtual void connection_up(ConnectionId connection, std::uint32_t epoch) = 0;
};

/// Receives delivered messages at their destination.
class MessageSink {
 public:
  virtual ~MessageSink() = default;
  /// Why the destination cannot take the message now; nullopt: it can, and `deliver` follows.
  [[nodiscard]] virtual std::optional<DropCause> refusal(const Message& message) const = 0;
  virtual void deliver(const Message& message) = 0;
};

/// Rates and ranges, of one message or one request.
struct NetworkFaults {
  Ppm message_drop = 0, message_duplicate = 0, message_reorder = 0;
  bool message_delay = false;
  DurationUs message_delay_low_us = 0, message_delay_high_us = 0;
  Ppm connection_reset = 0;
};

/// Faults of the simulator's own, planted to prove that oracles see them. All off in an honest run.
struct NetworkDefects {
  bool reply_to_last_waiter = false;  ///< a reply answers the newest request of its connection instead of the oldest
  bool drops_unnoted = false;         ///< a message lost by chance is not told to the observer
};

class Network {
 public:
  static constexpr DurationUs latency_low_us = 50, latency_high_us = 500;
  static constexpr DurationUs reconnect_low_us = us_per_ms, reconnect_high_us = 50 * us_per_ms;
  static constexpr DurationUs late_high_us = 2 * us_per_s;     ///< how late a command of a broken connection may run
  static constexpr DurationUs reorder_high_us = 50 * us_per_ms;  ///< how far a reordered message falls behind
  static constexpr DurationUs timeout_us = us_per_s;  ///< after which a silent connection counts as broken

  Network(Scheduler& scheduler, Choices& choices, NetworkObserver& observer, MessageSink& sink);

  /// The same for all. A source, where there is one, is asked instead.
  void set_faults(const NetworkFaults& faults) { faults_ = faults; }
  /// What strikes a message, or (null) a request of `client`, now.
  using FaultSource = std::function<NetworkFaults(Actor client, const Message*)>;
  void set_fault_source(FaultSource source) { fault_source_ = std::move(source); }
  void plant(const NetworkDefects& defects) { defects_ = defects; }

  // Connections ----------------------------------------------------------------------------------------------------
  /// A connection of `client` to the server, up at once. Never reused: a restarted node opens new ones.
  ConnectionId open(Actor client);
  /// Sends a request and waits for its reply. Replies come in the order of the requests. On a connection that is down,
  /// fails at once.
  Task<Answer> call(ConnectionId connection, std::unique_ptr<Request> request);
  /// The connection breaks: whoever waits is answered nothing. Of what has not arrived, a prefix still runs, as chosen:
  /// a stream reaches the server up to some byte.
  void break_connection(ConnectionId connection, std::string_view why);
  /// As break_connection, and it cannot come up again for `span`: its client is cut off.
  void cut_off(ConnectionId connection, DurationUs span, std::string_view why);
  /// The next request of `client` breaks its connection, as `outcome` says: 1 it never runs, 2 it runs and its reply is
  /// lost, 3 it runs after the client saw the break. 0: nothing will.
  void reset_next(Actor client, std::uint8_t outcome) { reset_next_[client] = outcome; }
  /// As break_connection for every connection of `client`, which will not come up again: the node died. They are forgotten once
  /// nothing of theirs is under way.
  void close_all_of(Actor client);
  /// Every connection breaks and comes up again: the server restarted. Nothing that has not arrived runs any more, the
  /// late requests of connections that broke earlier included: the new server knows none of these streams.
  void break_all(std::string_view why);
  [[nodiscard]] bool up(ConnectionId connection) const {
    const auto found = connections_.find(connection);
    return found != connections_.end() && found->second.up;
  }
  [[nodiscard]] std::uint32_t epoch(ConnectionId connection) const { return connections_.at(connection).epoch; }
  /// The server does nothing before `when`: requests that arrive meanwhile wait, in the order of their arrival, and run
  /// from then on; the reply of the one that runs now leaves then. A client that hears nothing for timeout_us gives its
  /// connection up. An earlier `when` than before ends the wait early.
  void hold_server(TimeUs when);
  /// Called when a broken connection is up again, with its id.
  std::function<void(ConnectionId)> on_up;
  [[nodiscard]] Actor client_of(ConnectionId connection) const { return connections_.at(connection).client; }
  /// Connections known: those of living nodes, and dead ones with something still under way.
  [[nodiscard]] std::size_t connections() const { return connections_.size(); }

  // Messages -------------------------------------------------------------------------------------------------------
  /// Sends a message to `message.to` under the faults in force. Answers its id, or 0 if it was lost at once.
  std::uint64_t post(Message message);
  /// Counts a message that never set out, because its destination was known to be away.
  void post_lost(Message message, DropCause cause);
  using Filter = std::function<bool(const Message&)>;
  /// From now on messages that match wait, those under way included, until released or discarded.
  void hold(const std::string& rule, Filter filter);
  /// Ends the rules of that text (all when empty) and delivers what matches `filter` among the held, in order, now.
  std::size_t release(const std::string& rule, const Filter& filter);
  std::size_t discard(const Filter& filter);
  std::size_t duplicate(const Filter& filter);
  [[nodiscard]] std::size_t in_flight() const;
  [[nodiscard]] std::size_t held() const { return held_.size(); }
  /// Every message under way or held, in id order.
  [[nodiscard]] std::vector<const Message*> messages() const;

  // Partitions -----------------------------------------------------------------------------------------------------
  /// Cuts from → to, one way. The server is an actor like any other.
  void partition(Actor from, Actor to) { cuts_.insert({from, to}); }
  void heal(Actor from, Actor to) { cuts_.erase({from, to}); }
  void heal_all() { cuts_.clear(); }
  [[nodiscard]] bool cut(Actor from, Actor to) const { return !cuts_.empty() && cuts_.contains({from, to}); }

 private:
  struct Waiting {
    Waker waker;
    std::uint64_t request;
    std::unique_ptr<Request>* answer;  // in the frame that waits; null once that frame is gone
  };
  struct Connection {
    Actor client = 0;
    bool up = true;
    bool closed = false;   // for good: its client died
    bool stalled = false;  // bytes were lost in a partition: nothing gets through until it times out
    std::uint32_t epoch = 1;
    std::uint32_t under_way = 0;  // slots that belong to it
    TimeUs away_until = 0;        // it cannot come up before
    TimeUs last_arrival = 0, last_reply = 0;
    std::deque<Waiting> waiting;
  };
  // What a reset does to the command that meets it. The caller is told the same each time: disconnected.
  enum class Fate : std::uint8_t { calm, never_runs, reply_lost, runs_late };
  struct UnderWay {
    ConnectionId connection = 0;
    std::uint32_t epoch = 0;
    Fate fate = Fate::calm;
    bool busy = false;
    bool decided = false;  // it ran, or will run or not whatever becomes of its connection
    TimeUs earliest = 0;   // behind a late one of the same stream: not before it
    std::unique_ptr<Request> request;
  };
  struct Flying {
    Message message;
    std::uint64_t order = 0;  // of posting, per destination and lane
    bool busy = false;
  };
  struct Held {
    Message message;
    std::uint64_t order;
    bool noted;  // the observer knows
  };
  struct LinkState {
    TimeUs last_arrival = 0;
    std::deque<std::uint64_t> buffered;  // slots that came while the receiver stood still, in that order
    std::uint64_t posted = 0;
    std::set<std::uint64_t> under_way;  // orders of what is flying or held
  };

  // Handlers of the scheduler: the argument is an index into the pool of that kind.
  template <void (Network::*run_it)(std::uint64_t)>
  struct Call final : Handler {
    explicit Call(Network& network) : network_(network) {}
    void run(std::uint64_t argument) override { (network_.*run_it)(argument); }
    Network& network_;
  };

  void request_arrives(std::uint64_t slot);
  void request_meets_server(std::uint64_t slot);
  void serve_waiting(std::uint64_t);
  void overdue(std::uint64_t packed);
  void expect_answer(std::uint64_t slot);
  void reply_arrives(std::uint64_t slot);
  void comes_up(std::uint64_t connection);
  void times_out(std::uint64_t packed);
  void message_arrives(std::uint64_t slot);
  void take_message(std::uint64_t slot);
  void take_buffered(std::uint64_t packed_link);
  [[nodiscard]] NetworkFaults faults_of(Actor client, const Message* message) const {
    return fault_source_ ? fault_source_(client, message) : faults_;
  }
  Fate draw_fate(Actor client);
  void send(ConnectionId id, std::unique_ptr<Request> request, Fate fate);
  void schedule_reply(std::uint64_t slot);
  void stall(ConnectionId id);
  void take_down(ConnectionId id, std::string_view why, bool rest_may_run, TimeUs earliest);
  void decide_in_flight(ConnectionId id, std::uint32_t epoch, bool may_run, TimeUs earliest);
  void forget_if_done(ConnectionId id);
  void release_slot(std::uint64_t slot);
  void launch(Message message);
  void fly(Message message, std::uint64_t order, TimeUs when);
  void arrive(const Message& message, std::uint64_t order);
  [[nodiscard]] bool rule_holds(const Message& message) const;

  Scheduler& scheduler_;
  Choices& choices_;
  NetworkObserver& observer_;
  MessageSink& sink_;
  NetworkFaults faults_;
  FaultSource fault_source_;
  std::array<std::uint8_t, max_actors> reset_next_{};
  NetworkDefects defects_;
  std::map<ConnectionId, Connection> connections_;
  ConnectionId next_connection_ = 0;
  std::vector<UnderWay> under_way_;
  std::vector<std::uint64_t> free_requests_;
  std::vector<Flying> flying_;
  std::vector<std::uint64_t> free_flying_;
  std::deque<Held> held_;
  std::vector<std::pair<std::string, Filter>> rules_;
  std::set<std::pair<Actor, Actor>> cuts_;
  TimeUs server_free_ = 0;                       // before it nothing runs
  std::deque<std::uint64_t> waiting_at_server_;  // slots, in the order of their arrival
  std::uint64_t next_request_ = 1;
  std::uint64_t next_message_ = 1;
  std::map<std::pair<Actor, std::uint8_t>, LinkState> links_;

  Call<&Network::request_arrives> request_arrives_{*this};
  Call<&Network::reply_arrives> reply_arrives_{*this};
  Call<&Network::comes_up> comes_up_{*this};
  Call<&Network::times_out> times_out_{*this};
  Call<&Network::serve_waiting> serve_waiting_{*this};
  Call<&Network::overdue> overdue_{*this};
  Call<&Network::message_arrives> message_arrives_{*this};
  Call<&Network::take_buffered> take_buffered_{*this};
};

}  // namespace cohsim
