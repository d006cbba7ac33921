// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

/// How a loop sleeps, and what wakes it.
namespace baton::BATON_VARIANT::async {

/// A point in time that does not come: a wait without a limit.
constexpr tick never = static_cast<tick>(-1);

/// What a loop asks of the system that brings it events: two functions. A loop that is given none sleeps as the port does.
///
/// Context  `wait` by the loop's thread alone, outside its coroutines: what it runs may make them ready, and resumes none. `wake` by any thread and
///          any signal handler, as long as the poller lives.
/// Cost     a loop calls `wait` when it has nothing to run, and with a time that is past once in at most `polls_every` of its turns.
struct poller {
  poller() = default;
  poller(const poller&) = delete;
  poller& operator=(const poller&) = delete;

  /// Takes in what has come, and sleeps until something comes, until `wake`, or until the tick `until`, whichever is first; with a
  /// tick that is past it does not sleep. A `wake` since the last `wait` makes it return at once. It may return early.
  /// false: nothing can ever happen (virtual time).
  virtual bool wait(tick until) = 0;

  /// Makes the `wait` that sleeps return, or the next one.
  virtual void wake() noexcept = 0;

 protected:
  ~poller() = default;  // it is its owner's, and no loop destroys it
};

namespace detail {

/// A port that sleeps until a time; another one sets an alarm first.
template <typename Port>
auto sleep_until_in(tick until, int) -> decltype(Port::sleep_until(until)) {
  return Port::sleep_until(until);
}
template <typename Port>
bool sleep_until_in(tick until, long) {
  if (until != never) {
    Port::alarm(until);
    if (until <= Port::now()) return true;
  }
  return Port::idle();
}

/// A port that calls `wake` when its attention is raised from outside; nothing on another one, where the poller has to see to it.
template <typename Port>
auto call_on_attention(void (*wake)(void*), void* argument, int) -> decltype(Port::call_on_attention(wake, argument)) {
  return Port::call_on_attention(wake, argument);
}
template <typename Port>
void call_on_attention(void (*)(void*), void*, long) {}

/// The poller of a loop: the one that it was given, or the port's own sleep, which a jump reaches without a table.
class sleeper {
 public:
  explicit sleeper(poller* given) : given_(given) {
    waker_.bind();
    if (given_) call_on_attention<port>(&wake_given, given_, 0);
  }
  sleeper(const sleeper&) = delete;
  sleeper& operator=(const sleeper&) = delete;
  ~sleeper() {
    if (given_) call_on_attention<port>(nullptr, nullptr, 0);
  }

  /// Sleeps, unless attention is raised.
  bool wait(tick until) {
    if (BATON_LIKELY(!given_)) return sleep_until_in<port>(until, 0);
    return given_->wait(port::attention::raised() ? 0 : until);
  }

  /// A look at what has come. The port brings its own by attention, between jobs.
  void look() {
    if (BATON_UNLIKELY(given_ != nullptr)) given_->wait(0);
  }

  /// From any thread or signal handler.
  void wake() noexcept {
    if (given_) {
      given_->wake();
    } else {
      waker_.raise();
    }
  }

 private:
  static void wake_given(void* p) { static_cast<poller*>(p)->wake(); }

  poller* const given_;
  port::waker waker_;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
