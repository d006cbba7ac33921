// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

/// The interface by which a loop sleeps and is woken.
namespace baton::BATON_VARIANT::async {

/// A time that never comes: a wait without a limit.
constexpr tick never = static_cast<tick>(-1);

/// The interface to a source of outside events: two functions. A loop without a poller sleeps by
/// the port.
///
/// Context  only the loop's thread calls `wait`, outside its coroutines: code that `wait` runs may
///          make coroutines ready, and resumes none. Any thread and any signal handler may call
///          `wake`, as long as the poller lives.
/// Cost     a loop calls `wait` when it has nothing to run, and, with a time that is past, once in
///          at most `polls_every` of its turns.
struct poller {
  poller() = default;
  poller(const poller&) = delete;
  poller& operator=(const poller&) = delete;

  /// Takes in the events that have come, and sleeps until one comes, until `wake`, or until the
  /// tick `until`, whichever is first. If `until` is past, it does not sleep. A `wake` since the
  /// last `wait` makes it return at once. It may return early. false: nothing can ever happen
  /// (virtual time).
  virtual bool wait(tick until) = 0;

  /// Makes the `wait` that sleeps return, or else the next one.
  virtual void wake() noexcept = 0;

 protected:
  ~poller() = default;  // its owner destroys it, not a loop
};

namespace detail {

/// Sleeps until a time, on a port that can; on another one sets an alarm first.
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

/// True for a port whose time stands still until a loop sleeps.
template <typename Port>
constexpr bool has_virtual_time = requires { requires Port::time_is_virtual; };

/// Has a port call `wake` when its attention is raised from outside. On a port that cannot, it does
/// nothing: the poller has to notice such a raise itself.
template <typename Port>
auto call_on_attention(void (*wake)(void*), void* argument, int) -> decltype(Port::call_on_attention(wake, argument)) {
  return Port::call_on_attention(wake, argument);
}
template <typename Port>
void call_on_attention(void (*)(void*), void*, long) {}

/// The way a loop sleeps: the poller that it was given, or the port's own sleep, which needs no
/// virtual call.
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

  /// Polls a given poller without sleeping. The port's own events come by attention, between jobs.
  void look() {
    if (BATON_UNLIKELY(given_ != nullptr)) given_->wait(0);
  }

  /// For any thread or signal handler.
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
