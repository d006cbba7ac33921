// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <baton/asio/ticket.hpp>
#include <baton/async/poller.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

namespace baton {
namespace asio {

namespace detail {

BATON_INLINE poller*& own_poller() {
  return domain::variable<struct own_poller_name, poller*>::get();
}

/// The descriptor, or what the system says against it, thrown.
inline int checked(int descriptor) {
  if (descriptor < 0) throw boost::system::system_error(errno, boost::system::system_category());
  return descriptor;
}

}  // namespace detail

/// Brings a loop what Asio waits for: sockets, serial lines, signals, pipes.
///
///     baton::asio::poller io;
///     baton::async::loop main(io);
///     main.spawn(serve());
///     main.run();
///
/// Shape    an `io_context` of its own, which is run in `wait` alone; an eventfd that wakes it; a timerfd that is set to the loop's next deadline.
///          Handlers of Asio's own that a program posts to the context run there, too.
/// Units    deadlines are ticks of CLOCK_MONOTONIC: a port in real time.
/// Context  made by the loop's thread, which has one at a time; it outlives the loop. `wake` by any thread and any signal handler.
/// Cost     a look is an `epoll_wait`, and at most `handlers_a_look` handlers; a deadline that comes before the one that is set, a
///          system call; a wake, three.
/// Errors   BATON_REQUIRE second_poller_on_thread: the thread has a poller already.
class poller final : public async::poller {
  static_assert(port::ticks_per_second == 1000000000, "deadlines are nanoseconds");

 public:
  static constexpr int handlers_a_look = 64;

  poller()
      : context_(1),
        notifier_(context_, detail::checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
        alarm_(context_, detail::checked(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))) {
    BATON_REQUIRE(second_poller_on_thread, !detail::own_poller());
    notifier_descriptor_ = notifier_.native_handle();
    detail::own_poller() = this;
    await_notification();
    await_alarm();
  }
  virtual ~poller() {
    detail::own_poller() = nullptr;
    while (detail::ticket* t = free_) {
      free_ = t->following;
      delete t;
    }
  }

  /// For sockets and the like: `tcp::socket s(io.context());`
  boost::asio::io_context& context() noexcept { return context_; }

  bool wait(tick until) override {
    if (context_.stopped()) context_.restart();
    int ran = run_ready(handlers_a_look);
    if (ran == 0 && (until == async::never || until > port::now())) {
      set_alarm(until);
      context_.run_one();
      run_ready(handlers_a_look - 1);
    }
    return true;
  }

  void wake() noexcept override {
    if (is_notified_.exchange(true)) return;
    const uint64_t one = 1;
    if (::write(notifier_descriptor_, &one, sizeof one) < 0) return;  // it is full: it is notified
  }

  /// For what this module is built of: asks an operation to end, and again after each of its steps: one that consists of several may
  /// be between two of them, where nothing hears it.
  void cancel(detail::ticket& t) {
    t.link(asked_);
    t.ask();
  }

  /// A ticket for an operation, and back when the operation is over.
  detail::ticket& issue() {
    detail::ticket* const t = free_;
    if (BATON_UNLIKELY(!t)) return *new detail::ticket(*this);
    free_ = t->following;
    return *t;
  }
  void take_back(detail::ticket& t) noexcept {
    t.following = free_;
    free_ = &t;
  }

 private:
  int run_ready(int most) {
    int ran = 0;
    while (ran < most && context_.poll_one() != 0) ++ran;
    for (detail::ticket *t = asked_, *next = nullptr; t; t = next) {
      next = t->following;
      t->ask();
    }
    return ran;
  }

  /// A deadline that is set and comes earlier stays: a wait may return early.
  void set_alarm(tick until) {
    if (until >= set_) return;
    set_ = until;
    itimerspec when = {};
    when.it_value.tv_sec = static_cast<time_t>(until / 1000000000);
    when.it_value.tv_nsec = static_cast<long>(until % 1000000000);
    ::timerfd_settime(alarm_.native_handle(), TFD_TIMER_ABSTIME, &when, nullptr);
  }

  void await_notification() {
    notifier_.async_wait(notifier_.wait_read, [this](const boost::system::error_code& error) {
      if (error) return;
      clear(notifier_);
      is_notified_.exchange(false);  // a later wake writes again; what was done before an earlier one is seen now
      await_notification();
    });
  }

  void await_alarm() {
    alarm_.async_wait(alarm_.wait_read, [this](const boost::system::error_code& error) {
      if (error) return;
      clear(alarm_);
      set_ = async::never;
      await_alarm();
    });
  }

  static void clear(boost::asio::posix::stream_descriptor& d) {
    uint64_t count = 0;
    if (::read(d.native_handle(), &count, sizeof count) < 0) return;  // it was cleared before
  }

  detail::ticket* asked_ = nullptr;  // outlives the context, whose end destroys the handlers that it holds
  detail::ticket* free_ = nullptr;
  boost::asio::io_context context_;
  boost::asio::posix::stream_descriptor notifier_;
  boost::asio::posix::stream_descriptor alarm_;
  int notifier_descriptor_ = -1;
  std::atomic<bool> is_notified_{false};
  tick set_ = async::never;
};

namespace detail {

inline poller& poller_here() {
  BATON_REQUIRE(thread_without_poller, own_poller());
  return *own_poller();
}

inline void ticket::let_go() noexcept {
  unlink();
  if (--owners != 0) return;
  signal.slot().clear();
  ++uses;
  if (BATON_LIKELY(own_poller() == poller_)) {
    poller_->take_back(*this);
  } else {
    delete this;
  }
}

}  // namespace detail

/// The context of the running loop's poller.
/// Errors   BATON_REQUIRE thread_without_poller: its thread has no such poller.
inline boost::asio::io_context& context() {
  return detail::poller_here().context();
}

}  // namespace asio
}  // namespace baton
