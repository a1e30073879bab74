#include "model/node.h"

#include <charconv>

#include "model/message.h"

namespace cohsim {

Node::Node(NodeContext context, ServerHost& host, SourceOfTruth& truth)
    : context_(std::move(context)), host_(host), truth_(truth) {}

void Node::spawn(Task<void> body, Scheduler::Duty duty) {
  context_.scheduler.spawn(context_.actor, std::move(body), 0, duty);
}

void Node::start() {
  ++context_.life;
  memory_ = std::make_unique<Memory>(context_.number, context_.network, host_, context_.notes, context_.actor);
  context_.note(event::NodeStarted{context_.actor, started_before_, context_.wall_ms()});
  recover_mint();
  bool subscribes = false;
  const auto minter = [this](TableRef table) { return mint_version(table); };
  const auto job_minter = [this] { return brand("JOB", next_snowflake()); };
  for (std::uint16_t index = 0; index < context_.scenario.tables.size(); ++index) {
    const TableSettings& settings = context_.scenario.tables[index];
    memory_->tables.push_back(std::make_unique<Table>(context_, memory_->client, truth_, minter, index));
    if (index < kept_.size()) memory_->tables.back()->restore(std::move(kept_[index]));
    memory_->journals.emplace_back();
    memory_->appliers.emplace_back();
    spawn(sweep_loop(index), Scheduler::Duty::background);
    if (settings.lane == Lane::broadcast) {
      subscribes = true;
      memory_->appliers.back() =
          std::make_unique<Applier>(settings.ring_capacity, context_.run.defect == Defect::ring_overwrites);
      spawn(apply_loop(index), Scheduler::Duty::background);
    }
    if (settings.lane == Lane::job) {
      Table& table = *memory_->tables.back();
      memory_->journals.back() =
          std::make_unique<Journal>(context_, memory_->client, table, make_journal_store(context_, table.ref(), disk_, files_),
                                    job_minter, lost_power_, !started_before_);
      spawn(consume_loop(index), Scheduler::Duty::background);
      if (!memory_->journals.back()->contents().intents.empty()) {
        spawn(replay_at_start(index), Scheduler::Duty::foreground);
      }
    }
  }
  if (subscribes) spawn(subscribe(), Scheduler::Duty::foreground);
  started_before_ = true;
  lost_power_ = false;
}

void Node::crash(bool power) {
  if (!up()) return;
  context_.scheduler.kill_all_of(context_.actor);
  context_.scheduler.disarm(context_.actor);
  context_.scheduler.end_pause(context_.actor);
  context_.clock.end_pause(context_.scheduler.now());
  context_.operations.crash(context_.actor);
  context_.network.close_all_of(context_.actor);
  for (const auto& journal : memory_->journals) {
    if (journal) journal->die();
  }
  kept_.clear();
  for (const auto& table : memory_->tables) {
    // Defect: what the process held outlives it.
    if (context_.run.defect == Defect::crash_keeps_memory) kept_.push_back(table->take_rows());
  }
  memory_.reset();
  DiskLost logs, files;
  if (power) logs = disk_.lose_power(context_.choices, context_.actor, context_.disk_faults());
  if (power) files = files_.lose_power(context_.disk_faults(), context_.choices, context_.actor);
  lost_power_ = lost_power_ || power;
  context_.note(event::NodeCrashed{context_.actor, power, logs.bytes + files.bytes, context_.operations.last_point(context_.actor)});
  context_.operations.forget_last_point(context_.actor);
  const std::uint64_t torn = logs.torn + files.torn, doomed = logs.doomed + files.doomed;
  if (torn + doomed != 0) context_.note(event::DiskHarmed{context_.actor, torn, doomed});
}

void Node::leave() {
  crash(false);
  left_ = true;
  context_.note(event::NodeLeft{context_.actor});
}

// Asked from outside ---------------------------------------------------------------------------------------------------

Task<FetchResult> Node::fetch(std::uint16_t table, std::string id) {
  return memory_->tables[table]->fetch(std::move(id));
}

Task<bool> Node::invalidate(std::uint16_t table, std::string id) {
  return memory_->tables[table]->invalidate(std::move(id));
}

Task<bool> Node::put(std::uint16_t table, std::string id, std::string value, std::string version) {
  return memory_->tables[table]->put(std::move(id), std::move(value), std::move(version));
}

Task<Client::DropAnswer> Node::drop_l2(std::uint16_t table, std::string id, std::string version) {
  co_await context_.operations.at(context_.actor, Point::drop_call);
  Task<Client::DropAnswer> dropping =
      memory_->client.drop_l2(memory_->tables[table]->ref(), std::move(id), std::move(version));
  const Client::DropAnswer answer = co_await dropping;
  co_return answer;
}

Task<MaybeReply> Node::command(std::vector<std::string> args) { return memory_->client.command(std::move(args)); }

Task<Outcome> Node::enqueue(std::uint16_t table, std::string payload) {
  // By hand, past the journal: the group is what a message would name, or the table's first name.
  const std::optional<CoherenceMessage> message = parse_message(payload);
  std::string group = message ? message->id : brand(context_.scenario.tables[table].kind, 0);
  std::string job = brand("JOB", next_snowflake());
  return memory_->client.enqueue(queue_of(table), std::move(job), std::move(payload), std::move(group));
}

// `mint = "persisted"`: a mark on the disk stands ahead of the generator, and no cell above it is given out before a higher
// mark is there. It costs one write and one sync a second of mints at most (each mark is a second ahead), and a node that
// starts again mints up to a second ahead of its clock. The sync comes before the first mint that needs it, so that a power
// loss, which takes whatever was not synced, never takes a mark that a version stands on. A clock that was ahead once keeps
// its node ahead: versions stay as far in the future as they were. The simulated disk takes no time over it.
Snowflake Node::next_snowflake() {
  Snowflake next = memory_->mint.mint(context_.wall_ms());
  if (context_.scenario.design.mint == MintCell::persisted && memory_->mint.cell() > mint_mark_) {
    constexpr std::uint64_t ahead = std::uint64_t{1000} << 12;  // cells are milliseconds << 12
    mint_mark_ = memory_->mint.cell() + ahead;
    disk_.replace("mint", std::to_string(mint_mark_));
  }
  return next;
}

void Node::recover_mint() {
  const std::string_view kept = disk_.read("mint");
  std::uint64_t mark = 0;
  std::from_chars(kept.data(), kept.data() + kept.size(), mark);
  mint_mark_ = mark;
  if (mark != 0) memory_->mint.go_on_above(mark);
}

std::string Node::mint_version(const std::string& kind) {
  const std::string version = brand(kind, next_snowflake());
  context_.note(event::Minted{context_.actor, version});
  return version;
}

std::string Node::mint_version(TableRef table) {
  const std::vector<std::string>& kinds = context_.scenario.design.version_kinds;
  if (kinds.empty()) return mint_version(context_.scenario.tables[table.index].kind);
  const std::uint64_t which = context_.choices.choose(Site::work_version_kind, context_.actor, kinds.size());
  return mint_version(kinds[which]);
}

void Node::commit(std::uint16_t table, const std::string& id, const std::string& value, const std::string& version) {
  const std::uint64_t serial = truth_.commit(context_.scheduler.now(), table, id, value, version);
  const TableRef ref{table, context_.scenario.tables[table].name};
  context_.note(event::Committed{context_.actor, ref, id, version, value, serial});
}

Task<Node::Written> Node::write(std::uint16_t table, std::string id, std::string value) {
  const TableRef ref{table, context_.scenario.tables[table].name};
  if (!memory_->tables[table]->is_kind(id)) {
    context_.note(event::KindRefused{context_.actor, ref, id, "put"});
    co_return Written{"refused", {}};
  }
  const std::string version = mint_version(ref);
  co_await context_.operations.at(context_.actor, Point::write_commit);
  commit(table, id, value, version);
  co_await context_.operations.at(context_.actor, Point::write_put);
  Task<bool> putting = put(table, id, std::move(value), version);
  const bool stored = co_await putting;
  std::string outcome = "failed";  // the caller of a put whose owner died dies with it, and announces nothing
  if (stored) {
    co_await context_.operations.at(context_.actor, Point::write_announce);
    Task<std::string> announcing = announce(table, id, version);
    outcome = co_await announcing;
  }
  context_.note(event::WriteEnded{context_.actor, ref, id, version, outcome == "ok"});
  co_return Written{outcome, version};
}

Task<std::string> Node::announce(std::uint16_t table, std::string id, std::string version) {
  const TableSettings& settings = context_.scenario.tables[table];
  if (settings.lane == Lane::none) co_return std::string("ok");
  if (settings.lane == Lane::broadcast) {
    std::vector<std::string> args{"PUBLISH", broadcast_channel(settings.name), to_bytes(CoherenceMessage{id, version})};
    Task<MaybeReply> publishing = command(std::move(args));
    const MaybeReply reply = co_await publishing;
    co_return std::string(reply && !reply->is_error() ? "ok" : "disconnected");
  }
  Task<Outcome> intending = memory_->journals[table]->intend_and_enqueue(std::move(id), std::move(version));
  const Outcome outcome = co_await intending;
  co_return std::string(name_of(outcome));
}

// Looked at ------------------------------------------------------------------------------------------------------------

const Table* Node::table(std::uint16_t index) const { return up() ? memory_->tables[index].get() : nullptr; }
Table* Node::table(std::uint16_t index) { return up() ? memory_->tables[index].get() : nullptr; }
Journal* Node::journal(std::uint16_t index) { return up() ? memory_->journals[index].get() : nullptr; }
const Journal* Node::journal(std::uint16_t index) const { return up() ? memory_->journals[index].get() : nullptr; }

bool Node::rings_idle() const {
  if (!up()) return true;
  for (const auto& applier : memory_->appliers) {
    if (applier && (applier->busy || !applier->ring.empty())) return false;
  }
  return true;
}

std::string Node::queue_of(std::uint16_t table) const {
  const bool shared = context_.scenario.design.fanout == Fanout::shared;
  const std::string& node = context_.scenario.nodes[static_cast<std::size_t>(context_.actor - actor_first_node)];
  return job_queue(context_.scenario.tables[table].name, shared ? std::string_view() : std::string_view(node));
}

}  // namespace cohsim
