// Coroutine tasks: model code that reads like the protocol, one `co_await` wherever something else may run.
//
// A task starts when it is awaited. It never transfers control symmetrically (GCC overflows the stack doing so at -O0
// and under ASan after a million awaits): it names what is to be resumed next, and the scheduler's loop resumes it.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace cohsim {

namespace detail {

/// What the running scheduler loop resumes next; null when the fiber has parked or ended. One worker is one thread.
inline thread_local std::coroutine_handle<> next_to_resume;

/// Resumes `first` and whatever it names next, until something parks.
inline void run_until_parked(std::coroutine_handle<> first) {
  next_to_resume = first;
  while (next_to_resume) std::exchange(next_to_resume, {}).resume();
}

/// Frames of one size are reused: a run makes many and all of them are small.
void* allocate_frame(std::size_t size);
void free_frame(void* frame, std::size_t size) noexcept;

struct PromiseBase {
  std::coroutine_handle<> continuation;
  std::exception_ptr error;

  struct Final {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
      next_to_resume = ended.promise().continuation;
    }
    void await_resume() const noexcept {}
  };

  std::suspend_always initial_suspend() noexcept { return {}; }
  Final final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }

  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) noexcept { free_frame(frame, size); }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() {
    if (error) std::rethrow_exception(error);
    return std::move(*value);
  }
};

template <>
struct Promise<void> : PromiseBase {
  void return_void() noexcept {}
  void take() const {
    if (error) std::rethrow_exception(error);
  }
};

}  // namespace detail

/// Owns one coroutine frame. Awaiting it runs it to its end and gives its value; destroying it destroys the frame and
/// with it every task that the frame holds.
template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type : detail::Promise<T> {
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
  };

  Task() = default;
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, {});
    }
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept {
    handle_.promise().continuation = awaiting;
    detail::next_to_resume = handle_;
  }
  T await_resume() { return handle_.promise().take(); }

  [[nodiscard]] std::coroutine_handle<> handle() const { return handle_; }
  [[nodiscard]] bool done() const { return !handle_ || handle_.done(); }
  /// The error that ended it, if one did.
  [[nodiscard]] std::exception_ptr error() const { return handle_ ? handle_.promise().error : nullptr; }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace cohsim
