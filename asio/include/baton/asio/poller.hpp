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

/// Brings the events of Asio to a loop: sockets, serial lines, signals, pipes.
///
///     baton::asio::poller io;
///     baton::async::loop main(io);
///     main.spawn(serve());
///     main.run();
///
/// Shape    an `io_context` of its own, which runs only in `wait`; an eventfd that wakes it; a
///          timerfd that is set to the loop's next deadline. Handlers that a program posts to the
///          context run in `wait`, too.
/// Units    deadlines are ticks of CLOCK_MONOTONIC: the port has to run in real time.
/// Context  made by the loop's thread, which has one poller at a time; it outlives the loop. Any
///          thread and any signal handler may call `wake`.
/// Cost     a poll takes an `epoll_wait`, and at most `handlers_a_look` handlers. A deadline that
///          is earlier than the one that is set takes one system call, a wake three. Want of memory
///          in a handler ends that handler alone: the operation to which it belongs has failed.
/// Errors   BATON_REQUIRE second_poller_on_thread: the thread has a poller already.
class poller final : public async::poller {
 public:
  static constexpr int handlers_a_look = 64;

  poller();
  virtual ~poller();

  /// The context for sockets and other objects of Asio: `tcp::socket s(io.context());`
  /// Context  the loop's thread uses the objects. They have no locks; other threads may post.
  boost::asio::io_context& context() noexcept { return *context_; }

  bool wait(tick until) override;
  void wake() noexcept override;

  /// For the other parts of this module: asks an operation to end, and asks again after each of its
  /// steps. An operation of several steps may be between two of them, where it does not notice the
  /// request.
  void cancel(detail::ticket& t);

  /// Gives a ticket to an operation, and takes it back when the operation is over.
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

/// True if the running loop of this thread has a poller of Asio.
inline bool has_context() noexcept {
  return detail::own_poller() != nullptr;
}

/// The context of the running loop's poller.
/// Errors   BATON_REQUIRE thread_without_poller: the thread has no such poller.
inline boost::asio::io_context& context() {
  return detail::poller_here().context();
}

}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
