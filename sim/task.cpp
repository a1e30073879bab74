#include "sim/task.h"

#include <array>
#include <cstddef>
#include <new>
#include <vector>

namespace cohsim::detail {

#if defined(__SANITIZE_ADDRESS__)
// Without the pool, the sanitizer sees every use of a dead frame.
void* allocate_frame(std::size_t size) { return ::operator new(size); }
void free_frame(void* frame, std::size_t) noexcept { ::operator delete(frame); }
#else

namespace {

constexpr std::size_t granule = 64;
constexpr std::size_t classes = 32;  // frames up to 2 KiB are pooled

struct Pool {
  std::array<std::vector<void*>, classes> free;
  ~Pool() {
    for (auto& frames : free) {
      for (void* frame : frames) ::operator delete(frame);
    }
  }
};

Pool& pool() {
  static thread_local Pool one;
  return one;
}

std::size_t class_of(std::size_t size) { return (size + granule - 1) / granule; }

}  // namespace

void* allocate_frame(std::size_t size) {
  const std::size_t c = class_of(size);
  if (c >= classes) return ::operator new(size);
  auto& frames = pool().free[c];
  if (frames.empty()) return ::operator new(c * granule);
  void* frame = frames.back();
  frames.pop_back();
  return frame;
}

void free_frame(void* frame, std::size_t size) noexcept {
  const std::size_t c = class_of(size);
  if (c >= classes) {
    ::operator delete(frame);
    return;
  }
  pool().free[c].push_back(frame);
}

#endif

}  // namespace cohsim::detail
