// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/capabilities.hpp>
#include <baton/core/deadline.hpp>
#include <baton/core/macros.hpp>

namespace baton {

namespace detail {

/// Stops the program where a body was resumed at a label that it does not have.
BATON_INLINE void no_such_label() {
  if (port::checked) BATON_REQUIRE(no_such_label, false);
  __builtin_unreachable();
}

}  // namespace detail

/// A stackless coroutine:
/// `struct blink : coroutine<blink> { point step(point at) { BATON_BEGIN(); ... BATON_END(); } };`
///
/// Shape    its base's bytes and its own members; no vtable, no heap. A variable that must live
///          across a wait is a member.
/// Context  its domain's scheduler runs `step`, one step at a time. `start`, `suspend`, `resume`,
///          `cancel` and `restart` are for other jobs and for code between runs, not for
///          interrupts. The running coroutine says BATON_SUSPEND or BATON_RESTART about itself
///          instead; a call on itself is BATON_REQUIRE call_on_running_coroutine. The destructor
///          takes the coroutine out of any list; a coroutine must not destroy itself.
/// Cost     bench/suites/auto.cpp; the suite `sizes` states the bytes of each base.
template <typename Derived, typename Base = plain>
class coroutine : public Base {
 public:
  using base_type = Base;

  constexpr coroutine() : Base(nullptr) {}
  ~coroutine() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) this->leave_();
  }

  /// Called once by `start()`; a coroutine defines its own to prepare something.
  void setup() {}

  /// The body; each coroutine defines its own.
  point step(point) {
    static_assert(detail::never<Derived>::value, "a coroutine needs a member baton::point step(baton::point at)");
    return suspended;
  }

  /// Makes it ready and calls `setup()`. Does nothing if the coroutine has been started before.
  BATON_INLINE void start() {
    if (ready::launch(this, &run_)) static_cast<Derived*>(this)->setup();
  }

  /// Takes the coroutine out of its wait or of the ready queue until `resume()`. A wait that has
  /// not happened yet ends with `cancelled`; a wait that has happened keeps its value.
  void suspend() {
    require_not_running_();
    if (end_wait_()) return;
    ready::remove(this);
  }

  /// Makes the coroutine ready after `suspend()`. Does nothing if it is not suspended.
  void resume() {
    if ((!this->body && this->at == 0) || this->engaged_() || is_done()) return;
    if (!this->body) this->body = &run_;  // the coroutine suspended itself in a step that was run directly
    ready::push(this);
  }

  /// Ends the coroutine's wait or delay with `cancelled`; it runs from the tail of the ready queue.
  /// false: the wait has ended already, or the coroutine does not wait.
  bool cancel() {
    require_not_running_();
    if (!end_wait_()) return false;
    ready::push(this);
    return true;
  }

  /// Starts the body over, whatever the coroutine is doing. Its members keep their values;
  /// `setup()` is not called again.
  void restart() {
    require_not_running_();
    this->leave_();
    if (!this->body) this->body = &run_;
    this->at = 0;
    this->release_();
    ready::push(this);
  }

  /// Runs one step at once, without the scheduler. After a wait the scheduler goes on with the
  /// coroutine, as with any other. Does nothing while the coroutine waits, and once its body has
  /// ended.
  BATON_INLINE void direct_resume() {
    if (!may_step_()) return;
    point next = run_(this, this->at);
    if (!(next & suspended)) this->at = next;
  }

  /// True once the body has ended, until `restart()`.
  BATON_INLINE bool is_done() const { return this->at == finished; }

 protected:
  static point run_(job* j, point at) {
    if (!j) __builtin_unreachable();  // avr-g++ would test for null in the cast: 0 is an address there
    return static_cast<Derived&>(static_cast<Base&>(*j)).step(at);
  }

  /// True if a step may be run directly: not while the coroutine waits, or is ready after a wait.
  /// After its first wait the scheduler goes on with it, and must know the body.
  BATON_INLINE bool may_step_() {
    if ((this->at & suspended) && (this->engaged_() || is_done())) return false;
    if (Base::can_wait) {
      domain::has_strays() = true;
      if (this->at == 0 && !this->body) this->body = &run_;
    }
    return true;
  }

  BATON_NOINLINE point end_() {
    ready::leave_if_inside(this);
    this->next = nullptr;
    this->at = finished;
    trace(transition::done, this);
    this->ended_();
    return suspended;
  }

  /// Takes the running coroutine out of the ready queue until another job calls `resume()`.
  BATON_NOINLINE void suspend_self_() {
    ready::leave_if_inside(this);
    this->next = nullptr;
    detail::mark_suspended(*static_cast<Base*>(this));
    trace(transition::wait, this);
  }

 private:
  bool end_wait_() {
    if (!this->withdraw_()) return false;
    detail::mark_cancelled(*static_cast<Base*>(this));
    return true;
  }

  void require_not_running_() const {
    BATON_REQUIRE(call_on_running_coroutine, !domain::running() || !ready::is_head(this));
  }
};

}  // namespace baton
