#include "sim/valkey/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/valkey/server_state.h"
#include "sim/valkey/typed.h"

namespace cohsim::valkey {

class Server::Impl {
 public:
  Impl(lua::Interpreter& interpreter, Settings settings) : state(interpreter, std::move(settings)) {}

  Reply execute(ClientId client, std::span<const std::string> args, std::int64_t now_us, ScriptReport* report) {
    if (args.empty()) throw std::invalid_argument("a command without a name");
    if (running_) throw std::logic_error("the server runs one command at a time");
    const Running running(*this, report);
    come_to(now_us);
    views_.assign(args.begin(), args.end());
    Client& sender = state.client(client);
    state.run_command(sender, views_, now_us, reply_);
    Reply reply = reply_.size() == 0 ? Reply::of_nil() : Reply::of(reply_);
    if (sender.closing) state.forget(client);
    if (state.has_errands()) run_errands();
    if (state.slow.killed) end_script();
    if (client != nobody && (state.blocking.any() || !served_.empty())) run_served(now_us);
    return reply;
  }

  Reply rehearse(std::span<const std::string> args, std::int64_t now_us, bool* changed) {
    struct Rehearsal {
      Rehearsal(ServerState& server, bool* any_change) : state(server), changed(any_change) { state.begin_rehearsal(); }
      ~Rehearsal() {
        const bool any = state.keyspace.rehearsal_changed();
        state.forget(nobody);
        state.roll_back();
        if (changed != nullptr) *changed = any;
      }
      Rehearsal(const Rehearsal&) = delete;
      Rehearsal& operator=(const Rehearsal&) = delete;
      ServerState& state;
      bool* changed;
    };
    if (running_) throw std::logic_error("the server runs one command at a time");
    const Rehearsal rehearsal(state, changed);
    return execute(nobody, args, now_us, nullptr);
  }

  void receive(ClientId id, std::string_view bytes, std::int64_t now_us) {
    if (state.settings.output == nullptr) throw std::logic_error("receive needs Settings::output");
    if (running_) throw std::logic_error("the server runs one command at a time");
    const Running running(*this, nullptr);
    come_to(now_us);
    Client& client = state.client(id);
    client.sends_bytes = true;
    client.input.append(bytes);
    if (!client.blocked && is_heard(id, now_us)) run_input(id, now_us);
    close_overlong(id);
    run_served(now_us);
    if (!state.slow.runs) state.tell_broadcasts();
  }

  void advance(std::int64_t now_us) {
    if (running_) throw std::logic_error("the server runs one command at a time");
    const Running running(*this, nullptr);
    come_to(now_us);
    state.set_now(now_us);
    if (!state.slow.runs) {
      for (const ClientId id : state.blocking.due(now_us)) end_wait(state.client(id), false);
    }
    run_served(now_us);
  }

  void expire_some(std::size_t rows_max, std::int64_t now_us) {
    if (running_) throw std::logic_error("the server runs one command at a time");
    const Running running(*this, nullptr);
    come_to(now_us);
    if (state.slow.runs || !state.active_expiry) return;
    state.set_now(now_us);
    state.keyspace.expire_some(rows_max);
    state.tell_broadcasts();
  }

  [[nodiscard]] std::optional<std::int64_t> next_timeout_us() const {
    const SlowScript& slow = state.slow;
    if (!slow.runs) return state.blocking.next_deadline_us();
    return slow.unheard.empty() ? slow.end_us : std::min(slow.busy_us, slow.end_us);
  }

  ServerState state;

 private:
  static constexpr ClientId nobody = ~ClientId{0};

  /// Lets a slow script come to its end, or to where others are heard again.
  void come_to(std::int64_t now_us) {
    SlowScript& slow = state.slow;
    if (!slow.runs) return;
    if (now_us >= slow.end_us) {
      end_script();
      run_served(now_us);
    } else if (now_us >= slow.busy_us) {
      for (const ClientId id : std::exchange(slow.unheard, {})) {
        if (!state.slow.runs) {  // killed by one of them
          served_.push_back(id);
        } else if (state.clients.contains(id)) {
          run_input(id, now_us);
        }
      }
      run_served(now_us);
    }
  }

  /// Whether the server reads what a client sends; while a script runs, it notes whom to hear later.
  bool is_heard(ClientId id, std::int64_t now_us) {
    SlowScript& slow = state.slow;
    if (!slow.runs) return true;
    if (id == slow.client) return false;
    if (now_us >= slow.busy_us) return true;
    if (std::find(slow.unheard.begin(), slow.unheard.end(), id) == slow.unheard.end()) slow.unheard.push_back(id);
    return false;
  }

  /// A slow script has ended, or was killed: its client is answered, and then others are heard.
  void end_script() {
    const SlowScript slow = std::exchange(state.slow, {});
    const auto place = state.clients.find(slow.client);
    if (place != state.clients.end()) {
      Client& client = place->second;
      std::string bytes = slow.reply;
      if (slow.killed) {
        const std::string error = fmt::format("-ERR Script killed by user with SCRIPT KILL... script: {}, on @{}.\r\n",
                                              slow.name, slow.place);
        if (slow.in_transaction) {
          bytes.replace(slow.own_at, slow.own_size, error);
        } else {
          bytes = error;
        }
      }
      if (!bytes.empty()) state.settings.output->send(client.id, bytes);
      served_.push_back(slow.client);
    }
    served_.insert(served_.end(), slow.unheard.begin(), slow.unheard.end());
  }

  /// Runs what the client has sent, until it is blocked, gone, or has sent no whole request more.
  void run_input(ClientId id, std::int64_t now_us) {
    Client& client = state.client(id);
    client.pipelines = false;
    while (!client.blocked && !(state.slow.runs && state.slow.client == id)) {
      RequestLimits limits = state.config.requests;
      limits.authenticated = !state.needs_password(client);
      ParsedRequest request = client.input.next(limits);
      if (request.state == ParsedRequest::State::incomplete) break;
      if (request.state == ParsedRequest::State::empty) continue;
      // A browser that was made to talk to us: the server hangs up (server.c, securityWarningCommand).
      if (!request.args.empty() && (is_word(request.args[0], "POST") || is_word(request.args[0], "HOST:"))) return close(id);
      if (request.state == ParsedRequest::State::broken) {
        reply_.clear();
        reply_.error(request.error);
        client.closing = true;
      } else {
        views_.assign(request.args.begin(), request.args.end());
        state.run_command(client, views_, now_us, reply_, true);
        if (client.blocked) client.waits.args = std::move(request.args);
      }
      if (!client.blocked) send_reply(client);
      if (client.closing) return close(id);
      serve_ready(now_us);
      if (state.has_errands()) run_errands();
      if (state.slow.killed) end_script();
    }
  }

  /// Writes the reply, unless the client wants none, and what the command has pushed to its own client.
  void send_reply(Client& client) {
    bytes_.clear();
    const bool pushes_first = state.personality().pushes_to_self_first;
    const bool wanted = client.replies == Replies::on || client.replies == Replies::skip_next || client.replies_by_push;
    client.replies_by_push = false;
    if (!state.written.empty()) bytes_ = std::exchange(state.written, {});
    if (pushes_first) append_resp(state.self_pushes, client.protocol, bytes_);
    if (wanted) append_resp(reply_, client.protocol, bytes_);
    if (!pushes_first) append_resp(state.self_pushes, client.protocol, bytes_);
    append_resp(state.later_pushes, client.protocol, bytes_);
    if (state.self_pushes.size() != 0) state.self_pushes.clear();
    if (state.later_pushes.size() != 0) state.later_pushes.clear();
    state.end_command();
    if (client.replies == Replies::skip) client.replies = Replies::on;
    if (client.replies == Replies::skip_next) client.replies = Replies::skip;
    if (state.slow.runs && state.slow.client == client.id) {
      state.slow.reply = std::move(bytes_);
    } else if (!bytes_.empty()) {
      state.settings.output->send(client.id, bytes_);
      client.pipelines = true;
    }
  }

  /// Answers a blocked client that gets nothing. What else it has sent runs later, never inside another client's input.
  void end_wait(Client& client, bool with_error) {
    reply_.clear();
    if (with_error) {
      reply_.error("UNBLOCKED client unblocked via CLIENT UNBLOCK");
    } else if (client.waits.counts) {
      reply_.integer(0);
    } else if (client.waits.null_is_array) {
      reply_.null_array();
    } else {
      reply_.nil();
    }
    state.blocking.remove(client);
    send_reply(client);
    served_.push_back(client.id);
  }

  /// What a command has asked to be done with other clients.
  void run_errands() {
    for (const ClientId id : std::exchange(state.to_close, {})) {
      const auto place = state.clients.find(id);
      if (place == state.clients.end()) continue;
      const bool sends_bytes = place->second.sends_bytes;
      state.forget(id);
      if (sends_bytes) state.settings.output->close(id);
    }
    for (const auto& [id, with_error] : std::exchange(state.to_unblock, {})) {
      const auto place = state.clients.find(id);
      if (place != state.clients.end() && place->second.blocked) end_wait(place->second, with_error);
    }
  }

  /// Ends the connection of a client that has more waiting than client-query-buffer-limit, without a word (networking.c).
  void close_overlong(ClientId id) {
    const auto place = state.clients.find(id);
    if (place != state.clients.end() && place->second.input.unread_bytes() > state.config.requests.unread_bytes) close(id);
  }

  void close(ClientId id) {
    state.forget(id);
    state.settings.output->close(id);
  }

  /// Answers blocked clients whose keys have come, until nothing more comes of it; what else they have sent runs later.
  void serve_ready(std::int64_t now_us) {
    if (state.slow.runs) return;
    while (auto ready = state.blocking.take_ready()) {
      for (const ClientId id : ready->second) {
        const auto place = state.clients.find(id);
        if (place == state.clients.end()) continue;
        Client& client = place->second;
        state.set_now(now_us);
        state.keyspace.select(ready->first.first);
        if (!client.blocked || type_name(state.keyspace.look(ready->first.second)) != client.waits.type) continue;
        Blocked waits = client.waits;
        waits.ready = ready->first.second;
        state.blocking.remove(client);
        views_.assign(waits.args.begin(), waits.args.end());
        reply_.clear();
        CommandCall call{state, *waits.command, client, views_, reply_, false, client.protocol, true};
        call.retried = &waits;
        state.retry(call);
        if (client.blocked) {
          client.waits.args = std::move(waits.args);
          continue;
        }
        send_reply(client);
        served_.push_back(id);
      }
    }
  }

  /// Serves who is left to serve, and runs what clients have sent behind a command that had blocked them.
  void run_served(std::int64_t now_us) {
    serve_ready(now_us);
    while (!served_.empty() && !state.slow.runs) {
      const ClientId id = served_.front();
      served_.erase(served_.begin());
      const auto place = state.clients.find(id);
      if (place != state.clients.end() && !place->second.blocked) run_input(id, now_us);
      serve_ready(now_us);
    }
  }

  struct Running {
    Running(Impl& owner, ScriptReport* report) : impl(owner) {
      impl.running_ = true;
      impl.state.report = report;
    }
    ~Running() {
      impl.running_ = false;
      impl.state.report = nullptr;
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    Impl& impl;
  };

  std::vector<std::string_view> views_;
  lua::ReplyBuffer reply_;
  std::string bytes_;
  std::vector<ClientId> served_;  ///< blocked clients that got their answer and may have sent more
  bool running_ = false;
};

Server::Server(lua::Interpreter& interpreter, Settings settings)
    : impl_(std::make_unique<Impl>(interpreter, std::move(settings))) {}
Server::~Server() = default;

Reply Server::execute(ClientId client, std::span<const std::string> args, std::int64_t now_us) {
  return impl_->execute(client, args, now_us, nullptr);
}

Reply Server::execute_reported(ClientId client, std::span<const std::string> args, std::int64_t now_us,
                               ScriptReport& report) {
  return impl_->execute(client, args, now_us, &report);
}

Reply Server::rehearse(std::span<const std::string> args, std::int64_t now_us, bool* changed) {
  return impl_->rehearse(args, now_us, changed);
}

void Server::receive(ClientId client, std::string_view bytes, std::int64_t now_us) {
  impl_->receive(client, bytes, now_us);
}

void Server::advance(std::int64_t now_us) { impl_->advance(now_us); }
std::optional<std::int64_t> Server::next_timeout_us() const { return impl_->next_timeout_us(); }

bool Server::is_blocked(ClientId client) const {
  const auto place = impl_->state.clients.find(client);
  const bool waits_for_script = impl_->state.slow.runs && impl_->state.slow.client == client;
  return place != impl_->state.clients.end() && (place->second.blocked || waits_for_script);
}

void Server::disconnect(ClientId client) { impl_->state.forget(client); }

std::optional<Row> Server::peek(std::string_view key, std::int64_t now_us) const {
  const Keyspace& keyspace = impl_->state.keyspace;
  const auto place = keyspace.rows(0).find(key);
  if (place == keyspace.rows(0).end() || !keyspace.is_live(place->second, now_us / us_per_ms)) return std::nullopt;
  return place->second;
}

std::vector<std::pair<std::string, Row>> Server::peek_all(std::int64_t now_us) const {
  const Keyspace& keyspace = impl_->state.keyspace;
  std::vector<std::pair<std::string, Row>> visible;
  for (const auto& [key, row] : keyspace.rows(0)) {
    if (keyspace.is_live(row, now_us / us_per_ms)) visible.emplace_back(key, row);
  }
  return visible;
}

bool Server::evict(std::string_view key, std::int64_t now_us) {
  impl_->state.keyspace.set_now_ms(now_us / us_per_ms);
  impl_->state.keyspace.select(0);
  return impl_->state.keyspace.erase(key, "evicted");
}

void Server::put_back(std::string_view key, const std::optional<Row>& row, std::int64_t now_us) {
  Keyspace& keyspace = impl_->state.keyspace;
  keyspace.set_now_ms(now_us / us_per_ms);
  keyspace.select(0);
  if (!row || !keyspace.is_live(*row, now_us / us_per_ms)) {
    keyspace.erase(key, "failover");
    return;
  }
  const Row* const standing = keyspace.look(key);
  if (standing == nullptr || !(*standing == *row)) keyspace.put(key, *row, "failover");
}

std::string Server::busy_text() const { return impl_->state.busy_text(); }
void Server::restart(bool keep_rows) { impl_->state.restart(keep_rows); }
void Server::expire_all(std::int64_t now_us) {
  impl_->state.keyspace.set_now_ms(now_us / us_per_ms);
  impl_->state.keyspace.expire_all();
}

void Server::expire_some(std::size_t rows_max, std::int64_t now_us) { impl_->expire_some(rows_max, now_us); }

void Server::suspend_expiry(bool suspended) { impl_->state.keyspace.suspend_expiry(suspended); }
const std::string& Server::not_simulated() const { return impl_->state.first_not_simulated; }

}  // namespace cohsim::valkey
