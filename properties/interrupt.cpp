#include "properties/interrupt.h"

namespace cohsim {
namespace {

constexpr int caught[] = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t came = 0;

void remember(int) { came = 1; }

}  // namespace

InterruptGuard::InterruptGuard() {
  came = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < 3; ++i) ::sigaction(caught[i], &action, &before_[i]);
}

InterruptGuard::~InterruptGuard() {
  for (int i = 0; i < 3; ++i) ::sigaction(caught[i], &before_[i], nullptr);
}

bool InterruptGuard::interrupted() const { return came != 0; }

}  // namespace cohsim
