// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/scheduler.hpp>
#include <baton/core/spi/domain_words.hpp>
#include <baton/cortex_m/interrupts.hpp>
#include <baton/port.hpp>
#include <stdint.h>

#ifdef BATON_ATTENTION_PENDS
#error "a program has the kernel or an interrupt scheduler, not both: the kernel's tasks preempt by their priorities"
#endif

namespace baton {

namespace board {

/// The interrupt that looks at the timers of the program's interrupt scheduler.
template <typename Unused>
struct interrupt_of_timers {
  static uint8_t number;
};
template <typename Unused>
uint8_t interrupt_of_timers<Unused>::number;

}  // namespace board

/// A second scheduler, which runs in an interrupt: its coroutines preempt those of main, and
/// interrupts that are more urgent preempt both.
///
///     using urgent = baton::interrupt_scheduler<baton::board::software_interrupt>;
///
///     urgent::signal edge;       // an interrupt or main sets it
///     counter edges;             // a coroutine: BATON_WAIT(edge.wait())
///
///     extern "C" void baton_software_handler() { urgent::on_interrupt(); }
///
///     urgent::start(0x80);
///     urgent::launch(edges);
///     baton::scheduler::run();   // the coroutines of main
///
/// The scheduler is a domain of its own: ready queue, timers, awaited signals and isr_channels. It
/// enters by an exchange of the domain's words, so that neither core nor a program without it pays
/// for it.
///
/// Shape    `Number` is an interrupt that no device raises. Static; its coroutines and primitives
///          are ordinary ones of core. One interrupt scheduler per program, and no kernel. C++20
///          coroutines stay in main's domain.
/// Context  a coroutine of it runs until it waits; main and less urgent interrupts wait meanwhile.
///          Its stack is main's. A primitive belongs to the domain that uses it first. What crosses
///          is what an interrupt may use: main wakes a coroutine of this domain by `signal`, a
///          coroutine of this domain wakes main's by an `isr_signal`, and a `ring` is pushed by one
///          of them and popped by the other. `scheduler::stop()` ends the `run()` of main. With
///          BATON_CHECK_DOMAINS each other crossing fails.
/// Cost     bench/suites/preemption.cpp. Each alarm of the clock enters it once; each turn of it
///          lets main's scheduler look at its signals and timers once.
/// Errors   BATON_REQUIRE used_from_foreign_domain, with BATON_CHECK_DOMAINS.
template <uint8_t Number>
class interrupt_scheduler {
 public:
  interrupt_scheduler() = delete;

  /// The way in from an interrupt, or from main.
  /// Context  `set()` anywhere; `wait()` in coroutines of this scheduler.
  struct signal : isr_signal {
    constexpr signal() = default;

    BATON_INLINE void set() {
      isr_signal::set();
      pend();
    }
  };

  /// Enables the interrupt.
  /// Units    0 is the most urgent priority. A chip has only the upper bits, at least two of them:
  ///          0, 0x40, 0x80, 0xc0.
  /// Context  main, once.
  static void start(uint8_t priority) {
    board::interrupt_of_timers<void>::number = Number;
    board::set_interrupt_priority(Number, priority);
    board::enable_interrupt(Number);
  }

  /// Starts a coroutine in this domain.
  /// Context  main, or a coroutine of this domain. From main it has run when this returns, unless
  ///          interrupts are masked.
  template <typename Coroutine>
  static void launch(Coroutine& c) {
    if (is_running()) return c.start();
    {
      const port::critical masked;
      enter();
      c.start();
      leave();
    }
    pend();
    __asm__ volatile("dsb\n\tisb" ::: "memory");
  }

  /// Runs the coroutines of this domain until none is ready.
  /// Context  the handler of `Number`, which does nothing else.
  static void on_interrupt() {
    enter();
    scheduler::run_until_idle();
    if (timers::are_used()) {
      if (job* first = timers::first()) baton_cortex_m_kernel_alarm(timers::due_of(first));
    }
    leave();
    // The loop has lowered main's attention, and an alarm of main may have been replaced.
    port::attention::raise();
  }

  /// Lets the scheduler look at its signals and timers soon.
  static BATON_INLINE void pend() { board::pend_interrupt(Number); }

 private:
  /// True in the handler of `Number`.
  /// Source   ARMv6-M Architecture Reference Manual, "IPSR": 16 is the chip's first interrupt.
  static bool is_running() {
    uint32_t exception;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    return exception == 16u + Number;
  }

  static BATON_INLINE void enter() {
    words_.exchange();
    set_domain(2);
  }
  static BATON_INLINE void leave() {
    set_domain(1);
    words_.exchange();
  }
#ifdef BATON_CHECK_DOMAINS
  static void set_domain(uint8_t number) { port::owner::enter(number); }
#else
  static BATON_INLINE void set_domain(uint8_t) {}
#endif

  static spi::domain_words words_;
};

template <uint8_t Number>
spi::domain_words interrupt_scheduler<Number>::words_;

}  // namespace baton

/// Called by the clock's interrupt: an alarm may be that of the interrupt scheduler.
extern "C" __attribute__((used, externally_visible, weak)) void baton_kernel_pend() {
  baton::board::pend_interrupt(baton::board::interrupt_of_timers<void>::number);
}
