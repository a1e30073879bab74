// Catches SIGINT, SIGTERM and SIGHUP while it lives, so that a stopped gate can still say what it had found.
#pragma once

#include <signal.h>

namespace cohsim {

/// At most one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  [[nodiscard]] bool interrupted() const;

 private:
  struct sigaction before_[3];
};

}  // namespace cohsim
