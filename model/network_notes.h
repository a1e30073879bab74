// Turns what the network observes into events of the run.
#pragma once

#include "model/notes.h"
#include "model/scenario.h"
#include "model/server_host.h"
#include "sim/network.h"

namespace cohsim {

class NetworkNotes final : public NetworkObserver {
 public:
  NetworkNotes(Notes& notes, const Scenario& scenario, ServerHost& host)
      : notes_(notes), scenario_(scenario), host_(host) {}
  /// Must be set before the network is used.
  void connect_to(const Network& network) { network_ = &network; }

  void message_sent(const Message& message) override;
  void message_duplicated(const Message& original, const Message& copy) override;
  void message_dropped(const Message& message, DropCause cause) override;
  void message_delivered(const Message& message, bool overtook) override;
  void message_held(const Message& message) override;
  void message_delayed(const Message& message, DurationUs delay_us) override;
  void request_sent(ConnectionId connection, std::uint32_t epoch, std::uint64_t request) override;
  void request_ran(ConnectionId connection, std::uint32_t epoch, std::uint64_t request, bool late) override;
  void reply_used(ConnectionId connection, std::uint32_t epoch, std::uint64_t waiting, std::uint64_t reply) override;
  void connection_broke(ConnectionId connection, std::uint32_t epoch, std::string_view why) override;
  void connection_up(ConnectionId connection, std::uint32_t epoch) override;

 private:
  [[nodiscard]] TableRef table_of(const Message& message) const {
    return {message.table, scenario_.tables[message.table].name};
  }

  Notes& notes_;
  const Scenario& scenario_;
  ServerHost& host_;
  const Network* network_ = nullptr;
};

}  // namespace cohsim
