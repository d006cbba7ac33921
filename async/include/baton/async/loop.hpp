// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/mailbox.hpp>
#include <baton/async/migration.hpp>
#include <baton/async/poller.hpp>

namespace baton::BATON_VARIANT::async {

/// Runs the coroutines of a thread, C++20 and stackless, with timers in a wheel.
///
///     async::loop main;
///     main.spawn(serve());
///     main.run();
///
/// Shape    a wheel of 16 KiB and a scope. Where the clock wraps (32-bit ticks) use core's
///          scheduler, whose timers are a list.
/// Context  one thread, which has at most one loop at a time; while it has one, timers that it arms
///          belong to the loop. The loop sleeps by the port (`port::idle`) or by its poller, until
///          its next timer or until attention is raised from outside. It looks at timers after at
///          most `turn` steps of the scheduler, each of at most `transfers_in_a_row` coroutines,
///          however much is ready.
/// Cost     one reading of the clock per turn.
/// Errors   `run` and `serve` throw what the first coroutine threw that was spawned in the loop,
///          when the others, which are stopped then, have ended. BATON_REQUIRE
///          second_loop_on_thread: the thread has a loop already. run_inside_coroutine: `run` or
///          `serve` is called from a coroutine or a job. loop_on_wrong_thread: another thread calls
///          anything but `handle` and `mailbox`.
template <typename Tick = tick>
class basic_loop {
  static_assert(sizeof(Tick) == sizeof(uint64_t), "a loop's clock must not wrap: 64-bit ticks");

 public:
  /// Steps of the scheduler between two looks at the timers.
  static constexpr uint16_t turn = 8;

  /// Turns between two polls of a given poller while something is always ready.
  static constexpr uint16_t polls_every = 8;

  /// The most coroutines that go on one from the other in one step of the scheduler.
  static constexpr uint8_t transfers_in_a_row = detail::transfers_in_a_row;

  /// In virtual time: how often the loop gives way to the function of a pool before time goes on
  /// without it, for about half a second in all.
  static constexpr uint32_t most_times_given_way = 4000;

  /// Makes a loop that sleeps by the port.
  basic_loop() : basic_loop(nullptr, nullptr) {}
  /// Makes a loop that sleeps by `p`, which outlives the loop.
  explicit basic_loop(poller& p) : basic_loop(&p, nullptr) {}
  /// Makes a loop with the mailbox of a handle that others may already have.
  explicit basic_loop(const loop_handle& a) : basic_loop(nullptr, &a) {}
  basic_loop(poller& p, const loop_handle& a) : basic_loop(&p, &a) {}
  basic_loop(const basic_loop&) = delete;
  basic_loop& operator=(const basic_loop&) = delete;
  /// Destroys the coroutines that are suspended in it; the destructors of their locals run.
  ~basic_loop() {
    stop_limit_.disarm();
    mailbox_.close();
    detail::migration::destroy_arrived();
    all_.destroy_all();
    detail::migration::forget_departed();
    detail::own_scope() = nullptr;
    detail::own_mailbox() = nullptr;
    detail::own_wheel() = nullptr;
  }

  /// Makes a coroutine ready.
  /// Context  its own thread; from another, `spawn_on(handle(), ...)`.
  void spawn(task<void> t) {
    check_thread();
    all_.spawn(static_cast<task<void>&&>(t));
  }

  /// The scope of the coroutines that were spawned here.
  scope& all() { return all_; }

  /// The mailbox by which other threads reach the loop.
  async::mailbox& mailbox() { return mailbox_; }
  const loop_handle& handle() { return handle_; }

  size_t timers() const { return wheel_.size(); }

  /// Runs until every coroutine that was spawned here has ended, and every one that came from
  /// another loop has ended or left, or until `quit`. In virtual time it also ends when nothing can
  /// happen any more. A function on a pool takes no virtual time, unless it takes half a second or
  /// more of real time.
  void run() { run(false); }

  /// As `run`, but when there is nothing to run it waits for messages from outside, until `stop`.
  void serve() { run(true); }

  /// Makes `run` return; the coroutines stay in the loop for another `run`.
  /// Context  its own thread.
  void quit() {
    check_thread();
    quitting_ = true;
  }

  /// Stops the coroutines that were spawned here and those that came from other loops, so that
  /// `run` and `serve` end.
  /// Context  its own thread; from another, `loop_thread::stop`.
  void stop() {
    check_thread();
    all_.stop();
    detail::migration::stop_arrived();
  }

  /// As `stop()`. Coroutines that have not ended at the limit are destroyed, each from its
  /// innermost frame, and `on_destroyed` is told of them; so `run` and `serve` end.
  void stop(time_limit limit) {
    stop();
    if (limit.is_finite()) stop_limit_.arm(port::now() + limit.ticks());
  }

 private:
  basic_loop(poller* p, const loop_handle* a)
      : wheel_(port::now()), sleeper_(p), handle_(a ? *a : loop_handle::make()), mailbox_(handle_.mailbox()) {
    BATON_REQUIRE(second_loop_on_thread, !detail::own_wheel());
    detail::own_wheel() = &wheel_;
    mailbox_.begin(sleeper_);
    detail::own_mailbox() = &mailbox_;
    detail::own_scope() = &all_;
    if constexpr (detail::has_heap) detail::exchange_of_frames<port>::give_at_end();
  }

  /// Stops the program where another thread calls: the list of coroutines would break, or the new
  /// one never run.
  void check_thread() const { BATON_REQUIRE(loop_on_wrong_thread, detail::own_wheel() == &wheel_); }

  /// The limit of the stop.
  struct stop_alarm : alarm {
    explicit stop_alarm(basic_loop& l) noexcept : alarm(&expire), of(&l) {}
    static point expire(job* j, point) {
      stop_alarm* a = static_cast<stop_alarm*>(static_cast<alarm*>(j));
      a->leave();
      a->of->all_.destroy_remaining();
      detail::migration::destroy_remaining();
      return suspended;
    }
    basic_loop* of;
  };

  void run(bool serves) {
    check_thread();
    BATON_REQUIRE(run_inside_coroutine, !domain::running());
    run_turns(serves);
    all_.rethrow();
  }

  void run_turns(bool serves) {
    quitting_ = false;
    port::start();
    while (goes_on(serves)) {
      scheduler::run_for(turn);
      fire();
      mailbox_.deliver();
      detail::at_turns_end::act_all();
      if (++turns_ % polls_every == 0) sleeper_.look();
      if (!domain::tail() && goes_on(serves) && !sleep()) return;
    }
  }

  bool goes_on(bool serves) const {
    if (quitting_) return false;
    return all_.running() != 0 || detail::migration::arrived().size != 0 || (serves && !all_.is_stopping());
  }

  void fire() {
    if (wheel_.is_empty()) return;
    const tick now = port::now();
    while (wheel_node* n = wheel_.pop_due(now)) n->body(n, n->at);
  }

  /// Sleeps until the next timer is due, unless a message has come.
  bool sleep() {
    if (detail::has_virtual_time<port> && mailbox_.gives_way(most_times_given_way)) return true;
    if (mailbox_.spin_before_sleep() || !mailbox_.prepare_to_sleep()) return true;
    const bool can_go_on = sleeper_.wait(next_due());
    mailbox_.finish_sleep();
    return can_go_on || mailbox_.gives_way(UINT32_MAX);
  }

  /// The time of the first timer, the loop's or core's.
  tick next_due() {
    const tick own = wheel_.next_due();
    const job* first = baton::timers::first();
    if (!first) return own;
    const tick core = baton::timers::due_of(const_cast<job*>(first));
    return own < core ? own : core;
  }

  timer_wheel<> wheel_;
  scope all_;
  detail::sleeper sleeper_;
  const loop_handle handle_;
  async::mailbox& mailbox_;
  stop_alarm stop_limit_{*this};
  uint16_t turns_ = 0;
  bool quitting_ = false;
};

using loop = basic_loop<>;

}  // namespace baton::BATON_VARIANT::async
