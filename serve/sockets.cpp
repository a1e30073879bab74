#include "serve/sockets.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cohsim::serve {

namespace {

constexpr int waiting_max = 511;

[[noreturn]] void fail(const std::string& what) { throw SocketError(fmt::format("{}: {}", what, std::strerror(errno))); }

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

void never_block(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) fail("socket");
}

Descriptor listen_on_loopback(std::uint16_t& port) {
  const std::string name = fmt::format("127.0.0.1:{}", port);
  Descriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener.open()) fail(name);
  const int on = 1;
  ::setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const general = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener.number(), general, size) != 0) fail(name);
  if (::listen(listener.number(), waiting_max) != 0) fail(name);
  if (::getsockname(listener.number(), general, &size) != 0) fail(name);
  port = ntohs(address.sin_port);
  never_block(listener.number());
  return listener;
}

Descriptor listen_on_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    throw SocketError(fmt::format("{}: longer than a Unix socket's path may be ({} bytes)", path, sizeof address.sun_path - 1));
  }
  path.copy(address.sun_path, path.size());
  struct stat there {};
  if (::lstat(path.c_str(), &there) == 0) {
    if (!S_ISSOCK(there.st_mode)) throw SocketError(path + ": is there already, and is no socket");
    const Descriptor caller(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (::connect(caller.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
      throw SocketError(path + ": another server listens there");
    }
    ::unlink(path.c_str());
  }
  Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener.open()) fail(path);
  if (::bind(listener.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail(path);
  if (::listen(listener.number(), waiting_max) != 0) fail(path);
  never_block(listener.number());
  return listener;
}

}  // namespace cohsim::serve
