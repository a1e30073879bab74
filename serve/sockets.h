// File descriptors of sockets that listen on this machine only.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace cohsim::serve {

/// A socket could not be made; the text says which and why.
class SocketError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Owns one descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool open() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// Listens on 127.0.0.1; port 0 takes any free one. `port` becomes the one taken. Neither call blocks later on.
[[nodiscard]] Descriptor listen_on_loopback(std::uint16_t& port);
/// Listens on a Unix socket; one that an earlier server left behind is replaced, any other file is refused.
[[nodiscard]] Descriptor listen_on_path(const std::string& path);
void never_block(int descriptor);

}  // namespace cohsim::serve
