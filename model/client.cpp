#include "model/client.h"

#include <typeinfo>

#include "lua/script_source.h"
#include "model/message.h"

namespace cohsim {

namespace {

/// A request whose work is a callable with its result in it.
template <class Work>
struct WorkRequest final : Request {
  WorkRequest(ServerHost& the_host, Work the_work) : host(the_host), work(std::move(the_work)) {}
  void run() override {
    work(host, epoch);
    host.strike();
  }
  ServerHost& host;
  Work work;
};

struct CommandWork {
  Actor node;
  ConnectionId connection;
  std::vector<std::string> args;
  valkey::Reply reply;
  void operator()(ServerHost& host, std::uint32_t epoch) { reply = host.command(node, connection, epoch, args); }
};

struct DropWork {
  Actor node;
  ConnectionId connection;
  TableRef table;
  std::string id, key, version;
  valkey::Reply reply;
  void operator()(ServerHost& host, std::uint32_t epoch) {
    reply = host.drop(node, connection, epoch, table, id, key, version);
  }
};

struct EnqueueWork {
  std::string queue, job, payload, group;
  Outcome outcome = Outcome::failed;
  void operator()(ServerHost& host, std::uint32_t) { outcome = host.enqueue(queue, job, payload, group); }
};

struct ClaimWork {
  Actor node;
  std::string queue;
  std::optional<JobQueue::Claim> claim;
  void operator()(ServerHost& host, std::uint32_t) { claim = host.claim(node, queue); }
};

struct SettleWork {
  Actor node;
  std::string queue, job;
  std::int64_t token;
  bool complete;
  Outcome outcome = Outcome::failed;
  void operator()(ServerHost& host, std::uint32_t) { outcome = host.settle_job(node, queue, job, token, complete); }
};

struct BeatWork {
  std::string queue;
  bool promote;
  void operator()(ServerHost& host, std::uint32_t) {
    if (promote) {
      host.promote(queue);
    } else {
      host.reap(queue);
    }
  }
};

/// Null where there is no answer, or one to another kind of request: only a planted defect of the network does that.
template <class Work>
Work* result_of(const Answer& answer) {
  if (!answer) return nullptr;
  Request& request = *answer;
  return typeid(request) == typeid(WorkRequest<Work>) ? &static_cast<WorkRequest<Work>&>(request).work : nullptr;
}

}  // namespace

Client::Client(Network& network, ServerHost& host, Notes& notes, Actor node)
    : network_(network), host_(host), notes_(notes), node_(node), connection_(network.open(node)) {}

template <class Work>
Task<Answer> Client::send(Work work) {
  return network_.call(connection_, std::make_unique<WorkRequest<Work>>(host_, std::move(work)));
}

Task<MaybeReply> Client::command(std::vector<std::string> args) {
  Task<Answer> sent = send(CommandWork{node_, connection_, std::move(args), {}});
  Answer answer = co_await sent;
  CommandWork* work = result_of<CommandWork>(answer);
  if (work == nullptr) co_return std::nullopt;
  co_return std::move(work->reply);
}

Task<MaybeReply> Client::run_script(std::string name, std::vector<std::string> keys, std::vector<std::string> args) {
  const lua::ScriptSource& script = *lua::bundled_script(name);
  std::vector<std::string> call{"EVALSHA", script.sha1, std::to_string(keys.size())};
  call.insert(call.end(), keys.begin(), keys.end());
  call.insert(call.end(), args.begin(), args.end());
  Task<MaybeReply> calling = command(call);
  MaybeReply reply = co_await calling;
  if (!reply || !reply->is_error() || !reply->text.starts_with("NOSCRIPT")) co_return reply;
  std::vector<std::string> load{"SCRIPT", "LOAD", script.text};
  Task<MaybeReply> loading = command(std::move(load));
  const MaybeReply loaded = co_await loading;
  if (!loaded) co_return std::nullopt;
  notes_(node_, event::ScriptLoaded{node_});
  Task<MaybeReply> again = command(std::move(call));
  reply = co_await again;
  co_return reply;
}

Task<Client::DropAnswer> Client::drop_l2(TableRef table, std::string id, std::string version) {
  DropAnswer result;
  const std::string key = l2_key(table.name, id);
  for (int attempt = 0; attempt < 2; ++attempt) {
    Task<Answer> sent = send(DropWork{node_, connection_, table, id, key, version, {}});
    Answer answer = co_await sent;
    DropWork* work = result_of<DropWork>(answer);
    if (work == nullptr) {
      result.outcome = Outcome::disconnected;  // also behind a NOSCRIPT: nobody knows whether this one ran
      break;
    }
    const valkey::Reply reply = std::move(work->reply);
    if (reply.kind == valkey::Reply::Kind::integer) {
      result = {Outcome::ok, reply.integer};
      break;
    }
    result.outcome = Outcome::failed;
    if (attempt == 1 || !reply.is_error() || !reply.text.starts_with("NOSCRIPT")) break;
    std::vector<std::string> load{"SCRIPT", "LOAD", host_.script().text};
    Task<MaybeReply> loading = command(std::move(load));
    const MaybeReply loaded = co_await loading;
    if (!loaded) {
      result.outcome = Outcome::disconnected;
      break;
    }
    notes_(node_, event::ScriptLoaded{node_});
  }
  notes_(node_, event::DropAnswered{node_, table, id, version, result.outcome, result.dropped});
  co_return result;
}

Task<Outcome> Client::enqueue(std::string queue, std::string job, std::string payload, std::string group) {
  Task<Answer> sent = send(EnqueueWork{queue, job, std::move(payload), std::move(group)});
  Answer answer = co_await sent;
  const EnqueueWork* work = result_of<EnqueueWork>(answer);
  const Outcome outcome = work ? work->outcome : Outcome::disconnected;
  notes_(node_, event::BusAnswered{node_, queue, job, "enqueue", outcome});
  co_return outcome;
}

Task<Client::ClaimAnswer> Client::claim(std::string queue) {
  Task<Answer> sent = send(ClaimWork{node_, std::move(queue), {}});
  Answer answer = co_await sent;
  ClaimWork* work = result_of<ClaimWork>(answer);
  if (work == nullptr) co_return ClaimAnswer{};
  co_return ClaimAnswer{true, std::move(work->claim)};
}

Task<Outcome> Client::settle_job(std::string queue, std::string job, std::int64_t token, bool complete) {
  Task<Answer> sent = send(SettleWork{node_, queue, job, token, complete});
  Answer answer = co_await sent;
  const SettleWork* work = result_of<SettleWork>(answer);
  const Outcome outcome = work ? work->outcome : Outcome::disconnected;
  notes_(node_, event::BusAnswered{node_, queue, job, complete ? "complete" : "retry", outcome});
  co_return outcome;
}

Task<bool> Client::reap_and_promote(std::string queue) {
  Task<Answer> sent_reaped = send(BeatWork{queue, false});
  const Answer reaped = co_await sent_reaped;
  if (!reaped) co_return false;
  Task<Answer> sent_promoted = send(BeatWork{queue, true});
  const Answer promoted = co_await sent_promoted;
  co_return promoted != nullptr;
}

}  // namespace cohsim
