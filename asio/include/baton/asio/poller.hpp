// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/poller.hpp>
#include <memory>

// The system's way to wait changes the layout of Asio's context, so it has a namespace: the library
// and its users are compiled for the same one.
#if defined(BOOST_ASIO_HAS_IO_URING) && \
    (defined(BOOST_ASIO_DISABLE_EPOLL) || defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT))
#define BATON_POLLER inline over_io_uring
#elif defined(BOOST_ASIO_DISABLE_EPOLL)
#define BATON_POLLER inline over_select
#else
#define BATON_POLLER inline over_epoll
#endif

namespace boost::asio {
class io_context;
}

namespace baton::BATON_VARIANT::asio::BATON_POLLER {

class poller;

namespace detail {

struct ticket;

BATON_INLINE poller*& own_poller() {
  return domain::variable<struct own_poller_name, poller*>::get();
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
 public:
  static constexpr int handlers_a_look = 64;

  poller();
  virtual ~poller();

  /// For sockets and the like: `tcp::socket s(io.context());`
  boost::asio::io_context& context() noexcept { return *context_; }

  bool wait(tick until) override;
  void wake() noexcept override;

  /// For what this module is built of: asks an operation to end, and again after each of its steps: one that consists of several may
  /// be between two of them, where nothing hears it.
  void cancel(detail::ticket& t);

  /// A ticket for an operation, and back when the operation is over.
  detail::ticket& issue();
  void take_back(detail::ticket& t) noexcept;

 private:
  struct state;

  detail::ticket* free_ = nullptr;  // outlives the context, whose end destroys the handlers that it holds
  std::unique_ptr<state> state_;
  boost::asio::io_context* context_;
};

namespace detail {

inline poller& poller_here() {
  BATON_REQUIRE(thread_without_poller, own_poller());
  return *own_poller();
}

}  // namespace detail

/// The context of the running loop's poller.
/// Errors   BATON_REQUIRE thread_without_poller: its thread has no such poller.
inline boost::asio::io_context& context() {
  return detail::poller_here().context();
}

}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
