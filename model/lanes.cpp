// The two lanes at one node: subscriber, ring and applier; consumer and handlers.
#include "model/message.h"
#include "model/node.h"

namespace cohsim {

Task<void> Node::sweep_loop(std::uint16_t table) {
  for (;;) {
    Task<void> resting = context_.rest(context_.scenario.tables[table].sweep_us);
    co_await resting;
    memory_->tables[table]->sweep();
  }
}

Task<void> Node::replay_at_start(std::uint16_t table) {
  Task<Journal::ReplayCount> replaying = memory_->journals[table]->replay();
  co_await replaying;
}

// Broadcast ------------------------------------------------------------------------------------------------------------

Task<void> Node::subscribe() {
  std::vector<std::string> args{"SUBSCRIBE"};
  for (const TableSettings& settings : context_.scenario.tables) {
    if (settings.lane == Lane::broadcast) args.push_back(broadcast_channel(settings.name));
  }
  Task<MaybeReply> subscribing = memory_->subscriber.command(std::move(args));
  const MaybeReply reply = co_await subscribing;
  // Lost: the connection broke, and its coming up subscribes again. Refused: it is tried so once more.
  if (reply && reply->is_error()) cut_subscriber_off(us_per_s, "subscription refused");
}

void Node::connection_up(ConnectionId connection) {
  if (context_.run.defect == Defect::subscription_not_renewed) return;  // defect: once subscribed is enough
  if (!up() || connection != memory_->subscriber.connection()) return;
  for (const auto& applier : memory_->appliers) {
    if (!applier) continue;
    spawn(subscribe(), Scheduler::Duty::foreground);
    return;
  }
}

void Node::cut_subscriber_off(DurationUs span_us, std::string_view why) {
  if (up()) context_.network.cut_off(memory_->subscriber.connection(), span_us, why);
}

std::optional<DropCause> Node::refusal(const Message& message) const {
  if (!up()) return DropCause::node_down;
  if (message.lane == static_cast<std::uint8_t>(Lane::job)) {
    // A job on its way to a consumer that died since: another life of this node must not get it.
    return context_.scheduler.alive(message.waiting.fiber) ? std::nullopt : std::optional(DropCause::node_down);
  }
  const ConnectionId subscriber = memory_->subscriber.connection();
  const bool same = message.tag == 0 || message.tag == ServerHost::client_id(subscriber, context_.network.epoch(subscriber));
  return same && context_.network.up(subscriber) ? std::nullopt : std::optional(DropCause::away);
}

void Node::deliver(const Message& message) {
  if (message.lane == static_cast<std::uint8_t>(Lane::job)) {
    spawn(handle(message), Scheduler::Duty::foreground);
  } else {
    take_broadcast(message);
  }
}

std::optional<CoherenceMessage> Node::read(std::string_view bytes) const {
  // Defect: the byte between the halves is not looked at.
  if (context_.run.defect == Defect::any_separator && bytes.size() == message_size) {
    std::string mended(bytes);
    mended[branded_size] = ':';
    return parse_message(mended);
  }
  return parse_message(bytes);
}

void Node::take_broadcast(const Message& message) {
  const TableRef ref = memory_->tables[message.table]->ref();
  const std::optional<CoherenceMessage> parsed = read(message.bytes);
  if (!parsed) {
    context_.note(event::MessageMalformed{context_.actor, ref, message.bytes, message.lane});
    return;
  }
  Applier& applier = *memory_->appliers[message.table];
  const bool accepted = applier.ring.offer(*parsed);
  if (!accepted) ++memory_->tables[message.table]->counters().ring_dropped;
  context_.note(event::RingOffered{context_.actor, ref, parsed->id, parsed->version, accepted, applier.ring.size()});
  context_.scheduler.wake(applier.parked);
}

Task<void> Node::apply_loop(std::uint16_t table) {
  Applier& applier = *memory_->appliers[table];
  for (;;) {
    if (applier.ring.empty()) {
      applier.busy = false;
      applier.parked = context_.scheduler.waker();
      co_await context_.scheduler.park();
    }
    applier.busy = true;
    co_await context_.operations.at(context_.actor, Point::ring_apply);
    const std::deque<CoherenceMessage> batch = applier.ring.drain();
    if (batch.empty()) continue;
    context_.note(event::RingDrained{context_.actor, memory_->tables[table]->ref(), batch.size()});
    for (const CoherenceMessage& message : batch) {
      Task<void> receiving = receive(table, message);
      co_await receiving;
    }
  }
}

Task<void> Node::receive(std::uint16_t table, CoherenceMessage message) {
  Table& cache = *memory_->tables[table];
  if (context_.scenario.design.receiver == Receiver::l1_and_l2) {
    co_await context_.operations.at(context_.actor, Point::drop_call);
    // Whether it failed or not: the broadcast lane goes on to L1.
    Task<Client::DropAnswer> dropping = memory_->client.drop_l2(cache.ref(), message.id, message.version);
    co_await dropping;
  }
  co_await context_.operations.at(context_.actor, Point::apply_l1);
  cache.apply_from_ring(message.id, message.version);
}

// Jobs -----------------------------------------------------------------------------------------------------------------

Task<void> Node::consume_loop(std::uint16_t table) {
  const std::string queue = queue_of(table);
  const DurationUs phase = context_.choices.between(Site::beat_phase, context_.actor, 0, beat_us - 1);
  Task<void> first = context_.rest(phase);
  co_await first;
  for (;;) {
    Task<bool> beat = memory_->client.reap_and_promote(queue);
    bool connected = co_await beat;
    while (connected) {
      Task<Client::ClaimAnswer> claiming = memory_->client.claim(queue);
      const Client::ClaimAnswer answer = co_await claiming;
      connected = answer.connected;
      if (!answer.claim) break;
      Task<void> handing = hand_over(table, *answer.claim);
      co_await handing;
    }
    Task<void> resting = context_.rest(beat_us);
    co_await resting;
  }
}

// The claimed job travels to its handler as a message does: it may be late, twice, or lost. The consumer waits for the
// handler as long as its lease lasts, then goes on: a handler that comes later is a zombie.
Task<void> Node::hand_over(std::uint16_t table, JobQueue::Claim claim) {
  Message message;
  message.from = actor_server;
  message.to = context_.actor;
  message.lane = static_cast<std::uint8_t>(Lane::job);
  message.table = table;
  message.tag = static_cast<std::uint64_t>(claim.token);
  message.label = claim.job;
  message.bytes = claim.payload;
  message.waiting = context_.scheduler.waker();
  const Waker waker = message.waiting;
  if (context_.network.post(std::move(message)) == 0) co_return;
  // By the node's own clock, as far as one can foresee it: a pause that begins meanwhile does not put it off.
  const TimeUs now = context_.scheduler.now();
  context_.scheduler.wake_at(now + context_.clock.until_gone(now, JobQueue::lease_ms * us_per_ms), waker);
  co_await context_.scheduler.park();
}

Task<void> Node::handle(Message message) {
  co_await context_.operations.at(context_.actor, Point::job_handle);
  const TableRef ref = memory_->tables[message.table]->ref();
  const auto token = static_cast<std::int64_t>(message.tag);
  context_.note(event::HandlerBegan{context_.actor, ref, message.label, token, message.bytes});
  Task<std::string> running = run_handler(message.table, message.bytes);
  const std::string why = co_await running;
  context_.note(event::HandlerEnded{context_.actor, ref, message.label, token, !why.empty(), why});
  co_await context_.operations.at(context_.actor, Point::job_complete);
  Task<Outcome> settling = memory_->client.settle_job(queue_of(message.table), message.label, token, why.empty());
  co_await settling;
  context_.scheduler.wake(message.waiting);
}

// Answers why the handler raised; empty: it did not.
Task<std::string> Node::run_handler(std::uint16_t table, std::string payload) {
  // A copy: the rule in force may be another when the handler goes on.
  const HandlerFaults faults = context_.faults.handlers(context_.scheduler.now(), context_.actor, table);
  const bool told_to = context_.faults.on() && context_.handlers_to_fail != 0;
  if (told_to) --context_.handlers_to_fail;
  if (told_to || context_.choices.chance(Site::handler_fail, context_.actor, faults.fail)) {
    co_return std::string("the handler failed");
  }
  const DurationUs latency =
      context_.choices.between(Site::handler_latency, context_.actor, faults.latency.low_us, faults.latency.high_us);
  // During a settle nothing dawdles: leases and retries are to run dry.
  if (latency != 0) co_await context_.scheduler.sleep(latency);
  const std::optional<CoherenceMessage> message = read(payload);
  if (!message) {
    context_.note(event::MessageMalformed{context_.actor, memory_->tables[table]->ref(), payload,
                                          static_cast<std::uint8_t>(Lane::job)});
    co_return std::string("the payload is no message");
  }
  Task<JournalVerdict> applying = memory_->journals[table]->apply_and_remember(message->id, message->version);
  const JournalVerdict verdict = co_await applying;
  co_return std::string(verdict == JournalVerdict::failed ? "the message could not be applied" : "");
}

}  // namespace cohsim
