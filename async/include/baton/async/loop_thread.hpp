// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_select.hpp>
#include <baton/async/resume_on.hpp>

#if defined(__STDCPP_THREADS__) && __has_include(<thread>)
#include <thread>

namespace baton::BATON_VARIANT::async {

/// Which processor a thread may run on.
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
/// Shape    the loop lies on its thread's stack; its handle is known before it begins, and after it has ended.
/// Context  `spawn`, `stop` and `mailbox` any thread, while this object lives; `join` one, which is not its own. It serves until `stop`; then it ends when what was
///          spawned there has ended, and what came from other loops has ended or returned to its origin.
/// Errors   BATON_REQUIRE thread_not_joined: destroyed before `join`. It would block where nobody sees it.
class loop_thread {
 public:
  struct end_operation;

  /// Begins to serve; sleeps as the port does.
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
  /// The same, with a poller of type `Poller`, which the thread makes.
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
  ~loop_thread() { BATON_REQUIRE(thread_not_joined, !thread_.joinable()); }

  /// Where others send to, also when it has ended: then it is refused.
  const loop_handle& handle() const noexcept { return handle_; }
  async::mailbox& mailbox() noexcept { return handle_.mailbox(); }

  /// As `spawn_on`.
  status spawn(task<void> t) { return spawn_on(handle_, detail::move(t)); }

  /// Stops the loop. Idempotent.
  void stop() noexcept {
    if (!__atomic_exchange_n(&is_told_, true, __ATOMIC_ACQ_REL)) mailbox().post(stop_);
  }

  /// Blocks until the thread has ended.
  void join() { thread_.join(); }

  /// For co_await, on other loops: waits until its loop has ended, with all that was in it. What is left for `join` is the end of the thread, which waits for nobody.
  /// Context  any number of coroutines of any loops, while this object lives; a deadline, a stop and a destruction end a wait.
  end_operation ended() noexcept;

  /// Whether it runs on the processor that was asked for. Valid after `join`, or `ended`.
  bool was_pinned() const noexcept { return was_pinned_; }

  /// Whether a coroutine that was spawned there threw. Valid after `join`, or `ended`.
  bool has_failed() const noexcept { return has_failed_; }

 private:
  void pin(processor p) { was_pinned_ = p.number >= 0 && detail::pin_in<port>(p.number, 0); }

  void serve(loop& l) {
    loop_ = &l;
    l.serve();
    has_failed_ = l.all().has_failed();
  }

  void tell_end() {
    const std::lock_guard<std::mutex> hold(lock_);
    has_ended_ = true;
    detail::end_all(waiting_, status::ok);
  }

  static void arrive_to_stop(void* p) { static_cast<loop_thread*>(p)->loop_->stop(); }

  const loop_handle handle_ = loop_handle::make();
  message_node stop_;
  loop* loop_ = nullptr;  // the thread's
  bool is_told_ = false;
  bool was_pinned_ = false;
  bool has_failed_ = false;
  std::mutex lock_;
  bool has_ended_ = false;
  detail::cross_loop_list waiting_;
  std::thread thread_;
};

struct loop_thread::end_operation : detail::cross_loop_operation<end_operation> {
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

/// For `loop_thread`: the poller that its loop sleeps with.
template <typename Poller>
constexpr detail::type_name<Poller> sleeps_with{};

inline detail::resume_on_awaiter resume_on(loop_thread& there) noexcept {
  return {&there.mailbox()};
}

}  // namespace baton::BATON_VARIANT::async
#endif
