// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_select.hpp>
#include <baton/async/resume_on.hpp>

#if defined(__STDCPP_THREADS__) && __has_include(<thread>)
#include <thread>

namespace baton::BATON_VARIANT::async {

/// The processor that a thread may run on.
struct processor {
  int number = -1;  ///< -1: any
};

namespace detail {

template <typename T>
struct type_name {};

template <typename Port>
auto pin_in(int number, int) -> decltype(Port::pin(number)) {
  return Port::pin(number);
}
template <typename Port>
bool pin_in(int, long) {
  return false;
}

}  // namespace detail

/// A loop on a thread of its own.
///
///     async::loop_thread worker;
///     worker.spawn(serve());
///     ...
///     worker.stop();
///     worker.join();
///
/// Shape    the loop is on its thread's stack. Its handle is valid before the loop begins and after
///          it has ended.
/// Context  any thread may call `spawn`, `stop` and `mailbox` while this object lives; one other
///          thread calls `join`. The loop serves until `stop`; then it ends when every coroutine
///          that was spawned there has ended, and every one that came from another loop has ended
///          or returned to its origin.
/// Errors   BATON_REQUIRE thread_not_joined: the object is destroyed before `join`. Its destructor
///          would otherwise block without notice. While an exception unwinds the stack it stops the
///          loop and blocks until its end: the exception is what is to be seen.
class loop_thread {
 public:
  struct end_operation;

  /// Starts a thread whose loop serves and sleeps by the port.
  explicit loop_thread(processor p = {}) : stop_(&arrive_to_stop, this) {
    thread_ = std::thread([this, p] {
      pin(p);
      {
        loop l(handle_);
        serve(l);
      }
      tell_end();
    });
  }
  /// Starts a thread whose loop sleeps by a poller of type `Poller`, which the thread makes.
  template <typename Poller>
  loop_thread(processor p, detail::type_name<Poller>) : stop_(&arrive_to_stop, this) {
    thread_ = std::thread([this, p] {
      pin(p);
      {
        Poller own;
        loop l(own, handle_);
        serve(l);
      }
      tell_end();
    });
  }
  loop_thread(const loop_thread&) = delete;
  loop_thread& operator=(const loop_thread&) = delete;
  ~loop_thread() {
    if (BATON_LIKELY(!thread_.joinable())) return;
    BATON_REQUIRE(thread_not_joined, detail::is_unwinding());
    stop();
    thread_.join();
  }

  /// The handle that other threads send to. After the loop has ended, messages to it are refused.
  const loop_handle& handle() const noexcept { return handle_; }
  async::mailbox& mailbox() noexcept { return handle_.mailbox(); }

  /// Spawns a coroutine there, as `spawn_on`.
  status spawn(task<void> t) { return spawn_on(handle_, detail::move(t)); }

  /// Stops the loop. Idempotent.
  void stop() noexcept { stop(forever); }
  /// As `stop()`; at the limit the loop destroys what has not ended, as `basic_loop::stop(limit)`.
  void stop(time_limit limit) noexcept {
    if (__atomic_exchange_n(&is_told_, true, __ATOMIC_ACQ_REL)) return;
    stop_limit_ = limit;
    mailbox().post(stop_);
  }

  /// Blocks until the thread has ended. Idempotent.
  /// Errors   throws what the first coroutine threw that was spawned there, once.
  void join() {
    if (thread_.joinable()) thread_.join();
    failure_.rethrow();
  }

  /// For co_await, on other loops: waits until its loop has ended, with all coroutines in it.
  /// `join` then has only the end of the thread to wait for, which waits for nothing itself.
  /// Context  any number of coroutines of any loops, while this object lives. A deadline, a stop
  ///          and a destruction end a wait.
  end_operation ended() noexcept;

  /// True if it ran on the processor that was asked for. Valid after `join`, or `ended`.
  bool was_pinned() const noexcept { return was_pinned_; }

  /// True if a coroutine that was spawned there threw. Valid after `join`, or `ended`.
  bool has_failed() const noexcept { return has_failed_; }

 private:
  void pin(processor p) { was_pinned_ = p.number >= 0 && detail::pin_in<port>(p.number, 0); }

  void serve(loop& l) {
    loop_ = &l;
#if BATON_ASYNC_THROWS
    try {
      l.serve();
    } catch (...) {
      failure_.keep_current();
      has_failed_ = true;
    }
#else
    l.serve();
#endif
  }

  void tell_end() {
    const std::lock_guard<std::mutex> hold(lock_);
    has_ended_ = true;
    detail::end_all(waiting_, status::ok);
  }

  static void arrive_to_stop(void* p) {
    loop_thread& t = *static_cast<loop_thread*>(p);
    t.loop_->stop(t.stop_limit_);
  }

  const loop_handle handle_ = loop_handle::make();
  message_node stop_;
  time_limit stop_limit_ = forever;
  loop* loop_ = nullptr;  // the thread's
  bool is_told_ = false;
  bool was_pinned_ = false;
  bool has_failed_ = false;
  detail::failure failure_;
  std::mutex lock_;
  bool has_ended_ = false;
  detail::cross_loop_list waiting_;
  std::thread thread_;
};

struct [[nodiscard]] loop_thread::end_operation : detail::cross_loop_operation<end_operation> {
  explicit end_operation(loop_thread& t) noexcept
      : detail::cross_loop_operation<end_operation>(t.lock_, nullptr), of(&t) {}

  bool attempt(status& s, detail::notify_later&, const detail::cross_loop_wait&) const {
    s = status::ok;
    return of->has_ended_;
  }
  bool is_possible(const detail::cross_loop_claim&) const { return of->has_ended_; }
  detail::cross_loop_list& list() const { return of->waiting_; }

  loop_thread* of;
};

inline loop_thread::end_operation loop_thread::ended() noexcept {
  return end_operation(*this);
}

/// For the constructor of `loop_thread`: the type of the poller that its loop sleeps by.
template <typename Poller>
constexpr detail::type_name<Poller> sleeps_with{};

inline detail::resume_on_awaiter resume_on(loop_thread& there) noexcept {
  return {&there.mailbox()};
}

}  // namespace baton::BATON_VARIANT::async
#endif
