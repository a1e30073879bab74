#include "fidelity/real_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>

#include "fidelity/frames.h"

namespace cohsim::fidelity {

namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

std::uint16_t free_port() {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  auto* const general = reinterpret_cast<sockaddr*>(&address);
  const bool found = ::bind(probe, general, size) == 0 && ::getsockname(probe, general, &size) == 0;
  ::close(probe);
  if (!found) throw ServerUnreachable("no free port on 127.0.0.1");
  return ntohs(address.sin_port);
}

}  // namespace

RealServer::RealServer(const std::string& where) {
  const std::size_t colon = where.rfind(':');
  if (colon == std::string::npos || where.find('/') != std::string::npos) {
    binary_ = where;
    start("C");
  } else {
    const std::string host = where.substr(0, colon);
    const auto read = std::from_chars(where.data() + colon + 1, where.data() + where.size(), port_);
    if (host != "127.0.0.1" && host != "localhost") throw ServerUnreachable(host + ": only a server of this machine, its data is flushed");
    if (read.ec != std::errc() || read.ptr != where.data() + where.size()) throw ServerUnreachable(where + ": no port");
  }
  await(where);
}

RealServer::~RealServer() { stop(); }

/// Until it takes connections.
void RealServer::await(const std::string& where) {
  for (int tries = 0; tries < 1000; ++tries) {
    const int socket = connect();
    if (socket >= 0) {
      ::close(socket);
      return;
    }
    if (child_ < 0) break;
    if (::waitpid(child_, nullptr, WNOHANG) == child_) {
      child_ = -1;
      throw ServerUnreachable(where + ": cannot be started, or ended at once");
    }
    ::poll(nullptr, 0, 10);
  }
  throw ServerUnreachable(where + ": nobody answers");
}

void RealServer::stop() {
  RealServer::close_all();
  if (child_ < 0) return;
  ::kill(-child_, SIGKILL);  // with what a wrapper script has started; it has nothing to save
  ::kill(child_, SIGKILL);   // which may not have come to lead its group yet
  ::waitpid(child_, nullptr, 0);
  child_ = -1;
}

bool RealServer::restart(const std::string& locale) {
  if (binary_.empty()) return false;
  stop();
  start(locale);
  await(binary_);
  return true;
}

void RealServer::start(const std::string& locale) {
  port_ = free_port();
  const std::string port = std::to_string(port_);
  const pid_t parent = ::getpid();
  child_ = ::fork();
  if (child_ < 0) throw ServerUnreachable("fork failed");
  if (child_ != 0) return;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::setenv("LC_ALL", locale.c_str(), 1);
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
  ::execlp(binary_.c_str(), binary_.c_str(), "--port", port.c_str(), "--bind", "127.0.0.1", "--save", "", "--appendonly",
           "no", "--dir", "/tmp", "--enable-debug-command", "yes", static_cast<char*>(nullptr));
  ::_exit(127);
}

int RealServer::connect() const {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port_);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket);
    return -1;
  }
  const int on = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const linger at_once{1, 0};  // no port stays behind for a minute
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  return socket;
}

RealServer::Connection& RealServer::connection(int number) {
  Connection& found = connections_[number];
  if (found.socket >= 0) return found;
  found.socket = connect();
  if (found.socket < 0) throw ServerUnreachable("the server takes no more connections");
  return found;
}

void RealServer::send(int number, std::string_view bytes) {
  Connection& to = connection(number);
  while (!bytes.empty() && !to.closed) {
    const ssize_t sent = ::send(to.socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    if (sent < 0 && errno != EINTR) to.closed = true;
  }
}

bool RealServer::read_more(Connection& from, int wait_ms) {
  if (from.closed) return false;
  pollfd watched{from.socket, POLLIN, 0};
  if (::poll(&watched, 1, wait_ms) <= 0) return false;
  char piece[16 * 1024];
  const ssize_t got = ::recv(from.socket, piece, sizeof piece, 0);
  if (got <= 0) from.closed = true;
  if (got > 0) from.arrived.append(piece, static_cast<std::size_t>(got));
  return got > 0;
}

std::vector<std::string> RealServer::take(int number, std::size_t frames, int wait_ms) {
  Connection& from = connection(number);
  std::vector<std::string> all;
  while (all.size() < frames) {
    const std::string_view rest = std::string_view(from.arrived).substr(from.taken);
    const std::size_t length = rest.empty() ? 0 : frame_length(rest);
    if (length == 0 && read_more(from, wait_ms)) continue;
    if (length == 0) break;
    all.emplace_back(rest.substr(0, length));
    from.taken += all.back().size();
    if (length == std::string_view::npos) break;
  }
  return all;
}

std::string RealServer::version() {
  constexpr int asking = 98;
  send(asking, "*2\r\n$4\r\nINFO\r\n$6\r\nserver\r\n");
  const std::vector<std::string> info = take(asking, 1, 5000);
  if (info.empty()) return "";
  constexpr std::string_view label = "redis_version:";
  const std::size_t place = info.front().find(label);
  if (place == std::string::npos) return "";
  const std::size_t begin = place + label.size();
  return info.front().substr(begin, info.front().find('\r', begin) - begin);
}

void RealServer::close_all() {
  for (const auto& [number, open] : connections_) {
    if (open.socket >= 0) ::close(open.socket);
  }
  connections_.clear();
}

}  // namespace cohsim::fidelity
