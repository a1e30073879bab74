#include "sim/valkey/server.h"

#include <stdexcept>
#include <utility>

#include "sim/valkey/server_state.h"

namespace cohsim::valkey {

class Server::Impl {
 public:
  Impl(lua::Interpreter& interpreter, Settings settings) : state(interpreter, std::move(settings)) {}

  Reply execute(ClientId client, std::span<const std::string> args, std::int64_t now_us, ScriptReport* report) {
    if (args.empty()) throw std::invalid_argument("a command without a name");
    if (running_) throw std::logic_error("the server runs one command at a time");
    const Running running(*this, report);
    views_.assign(args.begin(), args.end());
    state.run_command(client, views_, now_us, reply_);
    return Reply::of(reply_);
  }

  Reply rehearse(std::span<const std::string> args, std::int64_t now_us, bool* changed) {
    struct Rehearsal {
      Rehearsal(ServerState& server, bool* any_change) : state(server), changed(any_change) { state.begin_rehearsal(); }
      ~Rehearsal() {
        const bool any = state.keyspace.rehearsal_changed();
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
    constexpr ClientId nobody = ~ClientId{0};
    return execute(nobody, args, now_us, nullptr);
  }

  ServerState state;

 private:
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

void Server::disconnect(ClientId client) { impl_->state.subscriptions.drop(client); }

std::optional<Row> Server::peek(std::string_view key, std::int64_t now_us) const {
  const Keyspace& keyspace = impl_->state.keyspace;
  const auto place = keyspace.rows().find(key);
  if (place == keyspace.rows().end() || !keyspace.is_live(place->second, now_us / us_per_ms)) return std::nullopt;
  return place->second;
}

std::vector<std::pair<std::string, Row>> Server::peek_all(std::int64_t now_us) const {
  const Keyspace& keyspace = impl_->state.keyspace;
  std::vector<std::pair<std::string, Row>> visible;
  for (const auto& [key, row] : keyspace.rows()) {
    if (keyspace.is_live(row, now_us / us_per_ms)) visible.emplace_back(key, row);
  }
  return visible;
}

bool Server::evict(std::string_view key, std::int64_t now_us) {
  impl_->state.keyspace.set_now_ms(now_us / us_per_ms);
  return impl_->state.keyspace.erase(key, "evicted");
}

void Server::restart(bool keep_rows) { impl_->state.restart(keep_rows); }
void Server::expire_all(std::int64_t now_us) {
  impl_->state.keyspace.set_now_ms(now_us / us_per_ms);
  impl_->state.keyspace.expire_all();
}

void Server::suspend_expiry(bool suspended) { impl_->state.keyspace.suspend_expiry(suspended); }
const std::string& Server::not_simulated() const { return impl_->state.first_not_simulated; }

}  // namespace cohsim::valkey
