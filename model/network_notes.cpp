#include "model/network_notes.h"

namespace cohsim {

// The fields that every message event begins with.
#define COHSIM_MESSAGE message.id, message.copy_of, message.from, message.to, message.lane, table_of(message), message.bytes

void NetworkNotes::message_sent(const Message& message) { notes_(message.from, event::MessageSent{COHSIM_MESSAGE}); }

void NetworkNotes::message_duplicated(const Message&, const Message& message) {
  notes_(message.from, event::MessageDuplicated{COHSIM_MESSAGE});
}

void NetworkNotes::message_dropped(const Message& message, DropCause cause) {
  notes_(message.to, event::MessageDropped{COHSIM_MESSAGE, name_of(cause)});
}

void NetworkNotes::message_delivered(const Message& message, bool overtook) {
  notes_(message.to, event::MessageDelivered{COHSIM_MESSAGE, overtook});
}

void NetworkNotes::message_held(const Message& message) { notes_(message.from, event::MessageHeld{COHSIM_MESSAGE}); }

void NetworkNotes::message_delayed(const Message& message, DurationUs delay_us) {
  notes_(message.from, event::MessageDelayed{COHSIM_MESSAGE, delay_us});
}

#undef COHSIM_MESSAGE

void NetworkNotes::request_sent(ConnectionId connection, std::uint32_t epoch, std::uint64_t request) {
  const Actor node = network_->client_of(connection);
  notes_(node, event::RequestSent{node, connection, epoch, request});
}

void NetworkNotes::request_ran(ConnectionId connection, std::uint32_t epoch, std::uint64_t request, bool late) {
  notes_(actor_server, event::RequestRan{network_->client_of(connection), connection, epoch, request, late});
}

void NetworkNotes::reply_used(ConnectionId connection, std::uint32_t epoch, std::uint64_t waiting,
                              std::uint64_t reply) {
  const Actor node = network_->client_of(connection);
  notes_(node, event::ReplyUsed{node, connection, epoch, waiting, reply});
}

void NetworkNotes::connection_broke(ConnectionId connection, std::uint32_t epoch, std::string_view why) {
  const Actor node = network_->client_of(connection);
  host_.disconnected(connection, epoch);
  notes_(node, event::ConnectionBroke{node, connection, epoch, why});
}

void NetworkNotes::connection_up(ConnectionId connection, std::uint32_t epoch) {
  const Actor node = network_->client_of(connection);
  notes_(node, event::ConnectionUp{node, connection, epoch});
}

}  // namespace cohsim
