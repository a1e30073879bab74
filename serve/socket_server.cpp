#include "serve/socket_server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace cohsim::serve {

namespace {

constexpr std::size_t clients_most = 10'000;       // as maxclients
constexpr std::size_t reserved_descriptors = 32;  // as a real server keeps for itself
constexpr std::int64_t expiry_every_us = 100'000;  // as with hz 10
constexpr std::size_t expired_at_once = 20'000;   // rows looked at then
constexpr std::size_t read_bytes = 64 * 1024;

valkey::Server::Settings with_output(valkey::Server::Settings settings, valkey::Output& output) {
  settings.output = &output;
  return settings;
}

/// Never more than there are descriptors for: a listener that cannot accept is ready for ever.
std::size_t clients_allowed() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return clients_most;
  const auto descriptors = static_cast<std::size_t>(limit.rlim_cur);
  return descriptors <= reserved_descriptors ? 1 : std::min(clients_most, descriptors - reserved_descriptors);
}

bool try_again() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

SocketServer::SocketServer(lua::Interpreter& interpreter, Settings settings)
    : settings_(std::move(settings)),
      port_(settings_.port),
      loopback_(listen_on_loopback(port_)),
      clients_max_(clients_allowed()),
      buffer_(read_bytes),
      server_(interpreter, with_output(settings_.server, *this)) {
  if (!settings_.path.empty()) unix_ = listen_on_path(settings_.path);
}

SocketServer::~SocketServer() {
  if (unix_.open()) ::unlink(settings_.path.c_str());
}

/// A wall clock may be set back; the server's never is.
std::int64_t SocketServer::now() { return last_now_us_ = std::max(last_now_us_, settings_.now_us()); }

void SocketServer::serve_once(int wait_ms) {
  if (const auto due = server_.next_timeout_us()) {
    const std::int64_t left_ms = std::max<std::int64_t>(0, (*due - now() + 999) / 1000);
    wait_ms = static_cast<int>(std::min<std::int64_t>(wait_ms, left_ms));
  }
  wait_ms = std::min<int>(wait_ms, expiry_every_us / 1000);
  std::vector<pollfd> watched{{loopback_.number(), POLLIN, 0}, {unix_.number(), POLLIN, 0}};
  std::vector<valkey::ClientId> ids;
  for (const auto& [id, client] : clients_) {
    const bool more = client.unread.size() > client.sent;
    // Who is to read first sends nothing meanwhile: neither buffer grows without end.
    const int events = (more ? POLLOUT : 0) | (client.ending || more ? 0 : POLLIN);
    watched.push_back({client.socket.number(), static_cast<short>(events), 0});
    ids.push_back(id);
  }
  if (::poll(watched.data(), watched.size(), wait_ms) < 0) return;
  if (server_.next_timeout_us()) server_.advance(now());
  if (const std::int64_t now_us = now(); now_us - expired_us_ >= expiry_every_us) {
    expired_us_ = now_us;
    server_.expire_some(expired_at_once, now_us);
  }
  for (std::size_t place = 0; place < ids.size(); ++place) {
    const int ready = watched[place + 2].revents;
    Client& client = clients_.at(ids[place]);
    if (ready == 0 || client.gone) continue;
    if ((ready & (POLLIN | POLLERR | POLLHUP)) != 0 && !client.ending) read(ids[place], client);
    if ((ready & (POLLERR | POLLHUP)) != 0 && client.ending) client.gone = true;
  }
  for (auto& [id, client] : clients_) write(client);
  bury();
  if (watched[0].revents != 0) accept_all(loopback_.number());
  if (watched[1].revents != 0) accept_all(unix_.number());
}

void SocketServer::accept_all(int listener) {
  while (true) {
    Descriptor socket(::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.open()) return;
    if (clients_.size() >= clients_max_) {
      constexpr std::string_view full = "-ERR max number of clients reached\r\n";
      static_cast<void>(::send(socket.number(), full.data(), full.size(), MSG_NOSIGNAL));
      continue;
    }
    const int on = 1;
    ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // no effect on a Unix socket
    clients_[++last_id_].socket = std::move(socket);
  }
}

void SocketServer::read(valkey::ClientId id, Client& client) {
  const ssize_t got = ::recv(client.socket.number(), buffer_.data(), buffer_.size(), 0);
  if (got > 0) {
    server_.receive(id, {buffer_.data(), static_cast<std::size_t>(got)}, now());
  } else if (got == 0 || !try_again()) {
    client.gone = true;
    server_.disconnect(id);
  }
}

void SocketServer::write(Client& client) {
  while (!client.gone && client.sent < client.unread.size()) {
    const ssize_t put = ::send(client.socket.number(), client.unread.data() + client.sent,
                               client.unread.size() - client.sent, MSG_NOSIGNAL);
    if (put < 0) {
      if (!try_again()) client.gone = true;
      break;
    }
    client.sent += static_cast<std::size_t>(put);
  }
  if (client.sent == client.unread.size()) {
    client.unread.clear();
    client.sent = 0;
    if (client.ending) client.gone = true;
  }
}

void SocketServer::bury() {
  for (auto place = clients_.begin(); place != clients_.end();) {
    if (!place->second.gone) {
      ++place;
      continue;
    }
    server_.disconnect(place->first);
    place = clients_.erase(place);
  }
}

void SocketServer::send(valkey::ClientId id, std::string_view bytes) {
  const auto place = clients_.find(id);
  if (place == clients_.end() || place->second.gone || place->second.ending) return;
  Client& client = place->second;
  const std::size_t waiting = client.unread.size() - client.sent;
  if (waiting > 0 && waiting + bytes.size() > settings_.unread_max) {
    client.gone = true;  // as a client-output-buffer-limit would; a real server's normal clients have none
    return;
  }
  client.unread += bytes;
}

void SocketServer::close(valkey::ClientId id) {
  const auto place = clients_.find(id);
  if (place != clients_.end()) place->second.ending = true;
}

}  // namespace cohsim::serve
