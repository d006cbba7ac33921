// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/capabilities.hpp>
#include <baton/core/deadline.hpp>
#include <baton/core/macros.hpp>

namespace baton {

namespace detail {

/// A body was resumed at a label that it does not have.
BATON_INLINE void no_such_label() {
  if (port::checked) BATON_REQUIRE(no_such_label, false);
  __builtin_unreachable();
}

}  // namespace detail

/// A stackless coroutine: `struct blink : coroutine<blink> { point step(point at) { BATON_BEGIN(); ... BATON_END(); } };`
///
/// Shape    its base's bytes and its own members; no vtable, no heap. A variable that must live across a wait is a member.
/// Context  its domain's scheduler runs `step`, one step at a time. `start`, `suspend`, `resume`, `cancel` and `restart` are for
///          other jobs and for code between runs, not for interrupts. The running coroutine says BATON_SUSPEND or
///          BATON_RESTART about itself instead; calling them on itself is BATON_REQUIRE call_on_running_coroutine.
///          Destroying it takes it out of whatever list it is in; a coroutine must not destroy itself.
/// Cost     bench/suites/auto.cpp; `sizes` states the bytes of each base.
template <typename Derived, typename Base = plain>
class coroutine : public Base {
 public:
  using base_type = Base;

  constexpr coroutine() : Base(nullptr) {}
  ~coroutine() { this->leave_(); }

  /// Called once by `start()`; a coroutine defines its own to prepare something.
  void setup() {}

  /// The body; each coroutine defines its own.
  point step(point) {
    static_assert(detail::never<Derived>::value, "a coroutine needs a member baton::point step(baton::point at)");
    return suspended;
  }

  /// Makes it ready and calls `setup()`. Nothing happens if it has been started already.
  BATON_INLINE void start() {
    if (ready::launch(this, &run_)) static_cast<Derived*>(this)->setup();
  }

  /// Takes it out of what it waits for or of the ready queue until `resume()`. A wait that has not happened yet ends with
  /// `cancelled`; one that has keeps its value.
  void suspend() {
    require_not_running_();
    if (end_wait_()) return;
    if (this->next) ready::remove(this);
  }

  /// Makes it ready after `suspend()`. Nothing happens if it is not suspended.
  void resume() {
    if ((!this->body && this->at == 0) || this->engaged_() || is_done()) return;
    if (!this->body) this->body = &run_;  // it suspended itself in a step that was run directly
    ready::push(this);
  }

  /// Ends its wait, or its delay, with `cancelled`; it runs from the tail of the ready queue. false: too late, or it does not wait.
  bool cancel() {
    require_not_running_();
    if (!end_wait_()) return false;
    ready::push(this);
    return true;
  }

  /// Starts the body over, whatever it is doing; its members keep their values. `setup()` is not called again.
  void restart() {
    require_not_running_();
    this->leave_();
    if (!this->body) this->body = &run_;
    this->at = 0;
    this->release_();
    ready::push(this);
  }

  /// Runs one step here and now, without the scheduler. After a wait the scheduler goes on with it, as with any other.
  /// Nothing happens while it waits, and once the body has ended.
  BATON_INLINE void direct_resume() {
    if (!may_step_()) return;
    point next = run_(this, this->at);
    if (!(next & suspended)) this->at = next;
  }

  /// Whether the body has ended. It stays ended until `restart()`.
  BATON_INLINE bool is_done() const { return this->at == finished; }

 protected:
  static BATON_FLATTEN point run_(job* j, point at) {
    if (!j) __builtin_unreachable();  // avr-g++ takes address 0 for an object, and would test for it in the cast
    return static_cast<Derived&>(static_cast<Base&>(*j)).step(at);
  }

  /// Whether a step may be run directly: not while it waits, or is ready after a wait. After its first wait the scheduler goes on
  /// with it, and must know the body.
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

  /// The running coroutine leaves the ready queue until somebody resumes it.
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
