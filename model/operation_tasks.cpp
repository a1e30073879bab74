#include "model/operation_tasks.h"

namespace cohsim::operation {

Task<void> put(World& world, Actor node, std::uint16_t table, std::string id, std::string value,
               std::uint64_t number) {
  Task<Node::Written> writing = world.node(node).write(table, std::move(id), std::move(value));
  const Node::Written written = co_await writing;
  world.operations().end(number, written.outcome, std::nullopt, written.version);
}

Task<void> fetch(World& world, Actor node, std::uint16_t table, std::string id, std::uint64_t number) {
  Task<FetchResult> fetching = world.node(node).fetch(table, std::move(id));
  const FetchResult result = co_await fetching;
  const bool found = result.outcome == FetchOutcome::hit || result.outcome == FetchOutcome::l2_hit ||
                     result.outcome == FetchOutcome::loaded;
  world.operations().end(number, name_of(result.outcome), found ? std::optional(result.value) : std::nullopt,
                         found ? std::optional(result.version) : std::nullopt);
}

Task<void> invalidate(World& world, Actor node, std::uint16_t table, std::string id, std::uint64_t number) {
  Task<bool> invalidating = world.node(node).invalidate(table, std::move(id));
  const bool done = co_await invalidating;
  world.operations().end(number, done ? "ok" : "failed");
}

Task<void> drop_l2(World& world, Actor node, std::uint16_t table, std::string id, std::string version,
                   std::uint64_t number) {
  Task<Client::DropAnswer> dropping = world.node(node).drop_l2(table, std::move(id), std::move(version));
  const Client::DropAnswer answer = co_await dropping;
  const std::string_view verdict = answer.dropped == 1 ? "dropped" : "kept";
  world.operations().end(number, answer.outcome == Outcome::ok ? verdict : name_of(answer.outcome));
}

Task<void> intend(World& world, Actor node, std::uint16_t table, std::string id, std::string version,
                  std::uint64_t number) {
  Task<Outcome> intending = world.node(node).journal(table)->intend_and_enqueue(std::move(id), std::move(version));
  const Outcome outcome = co_await intending;
  world.operations().end(number, name_of(outcome));
}

Task<void> replay(World& world, Actor node, std::uint16_t table, std::uint64_t number) {
  Task<Journal::ReplayCount> replaying = world.node(node).journal(table)->replay();
  const Journal::ReplayCount count = co_await replaying;
  world.operations().end(number, count.failed == 0 ? "ok" : "failed");
}

Task<void> compact(World& world, Actor node, std::uint16_t table, std::uint64_t number) {
  Task<std::uint64_t> compacting = world.node(node).journal(table)->compact();
  co_await compacting;
  world.operations().end(number, "ok");
}

Task<void> command(World& world, Actor node, std::vector<std::string> args, std::uint64_t number) {
  Task<MaybeReply> calling = world.node(node).command(std::move(args));
  const MaybeReply reply = co_await calling;
  world.operations().end(number, !reply ? "disconnected" : reply->is_error() ? "failed" : "ok");
}

Task<void> enqueue(World& world, Actor node, std::uint16_t table, std::string payload, std::uint64_t number) {
  Task<Outcome> enqueueing = world.node(node).enqueue(table, std::move(payload));
  const Outcome outcome = co_await enqueueing;
  world.operations().end(number, name_of(outcome));
}

}  // namespace cohsim::operation
