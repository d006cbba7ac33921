// SPDX-License-Identifier: MIT
#include <atomic>
#include <baton/asio/poller.hpp>
#include <baton/asio/ticket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <new>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

namespace baton::BATON_VARIANT::asio::BATON_POLLER {

static_assert(port::ticks_per_second == 1000000000, "deadlines are nanoseconds");

using boost::asio::posix::stream_descriptor;

/// Returns the descriptor; throws the system's error if there is none.
static int checked(int descriptor) {
  if (descriptor < 0) throw boost::system::system_error(errno, boost::system::system_category());
  return descriptor;
}

static void clear(stream_descriptor& d) {
  uint64_t count = 0;
  if (::read(d.native_handle(), &count, sizeof count) < 0) return;  // it was cleared before
}

struct poller::state {
  state()
      : context(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO),  // sockets without locks: one thread uses them; any may post
        notifier(context, checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))),
        alarm(context, checked(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK))),
        notifier_descriptor(notifier.native_handle()) {
    await_notification();
    await_alarm();
  }

  /// Runs a handler, or a step of an operation. For one that finds no memory Asio throws, and goes
  /// on; the wait of its coroutine has ended, by its destructor.
  template <typename Run>
  size_t run_one(Run run) {
    try {
      return run();
    } catch (const std::bad_alloc&) {
      return 1;
    }
  }

  int run_ready(int most) {
    int ran = 0;
    while (ran < most && run_one([this] { return context.poll_one(); }) != 0) ++ran;
    for (detail::ticket *t = asked, *next = nullptr; t; t = next) {
      next = t->following;
      t->ask();
    }
    return ran;
  }

  /// Sets the timer. An earlier deadline that is set stays: a wait may return early.
  void set_alarm(tick until) {
    if (until >= set) return;
    set = until;
    itimerspec when = {};
    when.it_value.tv_sec = static_cast<time_t>(until / 1000000000);
    when.it_value.tv_nsec = static_cast<long>(until % 1000000000);
    ::timerfd_settime(alarm.native_handle(), TFD_TIMER_ABSTIME, &when, nullptr);
  }

  /// Waits for both descriptors again. false: there is no memory for that, so a wait could miss
  /// them.
  bool await_both() {
    try {
      if (!awaits_notification) await_notification();
      if (!awaits_alarm) await_alarm();
    } catch (const std::bad_alloc&) {
      return false;
    }
    return true;
  }

  void await_notification() {
    notifier.async_wait(notifier.wait_read, [this](const boost::system::error_code& error) {
      if (error) return;
      awaits_notification = false;
      clear(notifier);
      is_notified.exchange(false);  // a later wake writes again; the effects of earlier wakes are visible here
      await_notification();
    });
    awaits_notification = true;
  }

  void await_alarm() {
    alarm.async_wait(alarm.wait_read, [this](const boost::system::error_code& error) {
      if (error) return;
      awaits_alarm = false;
      clear(alarm);
      set = async::never;
      await_alarm();
    });
    awaits_alarm = true;
  }

  detail::ticket* asked = nullptr;  // outlives the context, as the poller's free tickets do
  boost::asio::io_context context;
  stream_descriptor notifier;
  stream_descriptor alarm;
  const int notifier_descriptor;
  std::atomic<bool> is_notified{false};
  bool awaits_notification = false;
  bool awaits_alarm = false;
  tick set = async::never;
};

poller::poller() : state_(std::make_unique<state>()), context_(&state_->context) {
  BATON_REQUIRE(second_poller_on_thread, !detail::own_poller());
  detail::own_poller() = this;
}
poller::~poller() {
  detail::own_poller() = nullptr;
  while (detail::ticket* t = free_) {
    free_ = t->following;
    delete t;
  }
}

bool poller::wait(tick until) {
  if (state_->context.stopped()) state_->context.restart();
  int ran = state_->run_ready(handlers_a_look);
  if (ran == 0 && (until == async::never || until > port::now()) && state_->await_both()) {
    state_->set_alarm(until);
    state_->run_one([this] { return state_->context.run_one(); });
    state_->run_ready(handlers_a_look - 1);
  }
  return true;
}

void poller::wake() noexcept {
  if (state_->is_notified.exchange(true)) return;
  const uint64_t one = 1;
  if (::write(state_->notifier_descriptor, &one, sizeof one) < 0) return;  // it is full: a notification is pending
}

void poller::cancel(detail::ticket& t) {
  t.link(state_->asked);
  t.ask();
}

}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER
