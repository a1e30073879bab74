// One node: its memory (tables, rings, journals, generator, connections), which a crash destroys, and its disk, which
// keeps what a disk keeps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/client.h"
#include "model/journal.h"
#include "model/node_context.h"
#include "model/ring.h"
#include "model/table.h"
#include "model/truth.h"
#include "sim/disk.h"
#include "sim/file_store.h"

namespace cohsim {

class Node {
 public:
  static constexpr DurationUs beat_us = us_per_s;  ///< of the job lane's consumer

  Node(NodeContext context, ServerHost& host, SourceOfTruth& truth);

  [[nodiscard]] bool up() const { return memory_ != nullptr; }
  [[nodiscard]] bool left() const { return left_; }
  [[nodiscard]] NodeContext& context() { return context_; }

  /// Memory anew, journals recovered, loops started; replays what the journals still owe.
  void start();
  /// Fibers, memory and connections are gone. Not to be called from a fiber of this node.
  void crash(bool power);
  /// Goes for good, in order: like a process crash that nobody restarts.
  void leave();
  /// The subscriber's connection breaks and cannot come up again for so long.
  void cut_subscriber_off(DurationUs span_us, std::string_view why);

  // What a client of this node asks of it. The node must be up.
  Task<FetchResult> fetch(std::uint16_t table, std::string id);
  Task<bool> invalidate(std::uint16_t table, std::string id);
  Task<Client::DropAnswer> drop_l2(std::uint16_t table, std::string id, std::string version);
  /// mint → commit → put → announce. Answers the outcome's name and the version.
  struct Written {
    std::string outcome;
    std::string version;
  };
  Task<Written> write(std::uint16_t table, std::string id, std::string value);
  std::string mint_version(TableRef table);
  std::string mint_version(const std::string& kind);
  void commit(std::uint16_t table, const std::string& id, const std::string& value, const std::string& version);
  Task<bool> put(std::uint16_t table, std::string id, std::string value, std::string version);
  /// PUBLISH, or intend_and_enqueue, or nothing, by the table's lane.
  Task<std::string> announce(std::uint16_t table, std::string id, std::string version);
  Task<MaybeReply> command(std::vector<std::string> args);
  Task<Outcome> enqueue(std::uint16_t table, std::string payload);

  // Messages that come to this node.
  [[nodiscard]] std::optional<DropCause> refusal(const Message& message) const;
  void deliver(const Message& message);
  /// A connection is up again: the subscriber subscribes anew.
  void connection_up(ConnectionId connection);

  [[nodiscard]] const Table* table(std::uint16_t index) const;
  [[nodiscard]] Table* table(std::uint16_t index);
  [[nodiscard]] Journal* journal(std::uint16_t index);
  [[nodiscard]] const Journal* journal(std::uint16_t index) const;
  /// Nothing waits in a ring, and no applier is in the middle of a batch.
  [[nodiscard]] bool rings_idle() const;
  [[nodiscard]] std::string queue_of(std::uint16_t table) const;

 private:
  struct Applier {
    Ring ring;
    Waker parked;
    bool busy = false;
    Applier(std::size_t capacity, bool overwrites) : ring(capacity, overwrites) {}
  };
  struct Memory {
    Mint mint;
    Client client;
    Client subscriber;
    std::vector<std::unique_ptr<Table>> tables;
    std::vector<std::unique_ptr<Journal>> journals;  // null where the table is not on the job lane
    std::vector<std::unique_ptr<Applier>> appliers;  // null where not on the broadcast lane
    Memory(std::uint16_t number, Network& network, ServerHost& host, Notes& notes, Actor actor)
        : mint(number), client(network, host, notes, actor), subscriber(network, host, notes, actor) {}
  };

  [[nodiscard]] Snowflake next_snowflake();
  void recover_mint();
  void spawn(Task<void> body, Scheduler::Duty duty);
  Task<void> subscribe();
  Task<void> sweep_loop(std::uint16_t table);
  Task<void> apply_loop(std::uint16_t table);
  Task<void> receive(std::uint16_t table, CoherenceMessage message);
  Task<void> consume_loop(std::uint16_t table);
  Task<void> hand_over(std::uint16_t table, JobQueue::Claim claim);
  Task<void> handle(Message message);
  Task<std::string> run_handler(std::uint16_t table, std::string payload);
  Task<void> replay_at_start(std::uint16_t table);
  [[nodiscard]] std::optional<CoherenceMessage> read(std::string_view bytes) const;
  void take_broadcast(const Message& message);

  NodeContext context_;
  ServerHost& host_;
  SourceOfTruth& truth_;
  Disk disk_;       // what journals keep on it, by the scenario's setting: logs of our own,
  FileStore files_; // or SQLite's files
  std::unique_ptr<Memory> memory_;
  std::uint64_t mint_mark_ = 0;  ///< what the disk holds; no cell above it was given out
  std::vector<Table::Rows> kept_;  ///< of a planted defect: what its tables held when it crashed
  bool started_before_ = false;
  bool lost_power_ = false;
  bool left_ = false;
};

}  // namespace cohsim
