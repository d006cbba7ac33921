// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/scheduler.hpp>
#include <baton/kernel/syscalls.hpp>

namespace baton {
namespace kernel {

/// The memory of a kernel, and its run: what `system` and `fixed_system` have in common.
template <uint8_t Tasks, uint8_t PriorityLevels, uint8_t InterruptEvents>
class kernel_memory : public kernel_state {
  static_assert(Tasks >= 1 && Tasks < 255, "1 to 254 tasks: an id holds the slot in 8 bits");
  static_assert(PriorityLevels >= 1 && PriorityLevels <= 31, "1 to 31 priority levels: a word holds a bit for each");
  static_assert(InterruptEvents >= 1 && InterruptEvents <= 32, "1 to 32 interrupt events: a word holds a bit for each");

 public:
  /// Runs the tasks until `stop`; in virtual time also until nothing can ever happen.
  void run() {
    stopping = false;
    kernel_switch::run(*this);
  }

  /// Makes `run` return: soon after an interrupt, or at the next call of a task.
  void stop() {
    stopping = true;
    port::attention::raise();
  }

 protected:
  /// Calls `listener` at a fault; null calls nothing.
  explicit kernel_memory(fault_listener listener)
      : kernel_state(tasks_, Tasks, tails_, PriorityLevels, waiters_, InterruptEvents) {
    on_fault = listener;
    number_slots();
  }

 private:
  tcb tasks_[Tasks];
  tcb* tails_[PriorityLevels] = {};
  tcb* waiters_[InterruptEvents] = {};
};

/// A kernel and its memory: the numbers of tasks, priority levels and interrupt events are its
/// limits. A program has one.
///
///     BATON_KERNEL_MEMORY baton::kernel::system<8> kernel;
///     BATON_KERNEL_MEMORY baton::kernel::stack<512> first_stack;
///
///     kernel.create(4, first, first_stack, "first");
///     kernel.run();
///
/// Shape    no heap; sizeof says all.
/// Context  main, while no task runs; tasks use the calls of syscalls.hpp.
template <uint8_t Tasks, uint8_t PriorityLevels = 8, uint8_t InterruptEvents = 8>
class system : public kernel_memory<Tasks, PriorityLevels, InterruptEvents> {
 public:
  /// Prints a task's fault where the port prints such messages: on the console, on standard error.
  system() : system(kernel_switch::say_fault) {}

  /// Calls `listener` at a fault, and leaves out the code that would print; null calls nothing.
  explicit system(fault_listener listener) : kernel_memory<Tasks, PriorityLevels, InterruptEvents>(listener) {}

  /// Makes a task before `run`. See `handlers::create`.
  created create(const task_description& d) {
    request r = {};
    as_create(r).set_description(detail::address_of(&d));
    handlers::create(*this, r);
    return as_create(r).result();
  }
};

/// A task's stack.
/// Units    bytes; where the port guards stacks it may want a power of two, or a multiple of 32.
template <word Bytes>
struct alignas(kernel_port::alignment_of_stack(Bytes)) stack {
  static_assert(Bytes >= kernel_port::least_stack, "Bytes must be at least kernel_port::least_stack of this port");
  static_assert(Bytes <= largest_stack, "a stack has at most kernel::largest_stack bytes");
  static_assert(kernel_port::is_stack_size(Bytes),
                "this port guards stacks by their size: Bytes must be one that kernel_port::is_stack_size takes");
  uint32_t words[Bytes / sizeof(uint32_t)];
};

/// Makes the description of a task for `create`.
template <word Bytes>
inline task_description describe(priority level, void (*entry)(void*), stack<Bytes>& s, const char* name,
                                 void* argument = nullptr) {
  return task_description{level, entry, argument, s.words, Bytes, name, false};
}

/// Makes the description of a task that accesses devices, or memory of other tasks and of the
/// kernel.
template <word Bytes>
inline task_description describe_privileged(priority level, void (*entry)(void*), stack<Bytes>& s, const char* name,
                                            void* argument = nullptr) {
  return task_description{level, entry, argument, s.words, Bytes, name, true};
}

namespace detail {

/// The task whose turn it is, if it is ready behind a more urgent one; else null.
inline tcb* preempted_in_slice(const kernel_state& m, const slicing& s) {
  tcb* t = m.find(s.owner);
  return t && t != m.running && t->is(state::ready) && t->priority < m.running->priority ? t : nullptr;
}

/// Ends a time slice that is over. A task has at least one slice while others as urgent are ready,
/// and less than two, because a slice begins when the kernel first looks. A slice goes on while a
/// more urgent task runs.
inline void end_slice(kernel_state& m, slicing& s) {
  tcb* running = m.running;
  if (!running) return;
  tcb* preempted = preempted_in_slice(m, s);
  if ((preempted || s.owner == running->id) && !is_past(s.end)) return;
  if (preempted) {
    m.ready.remove(preempted);
    m.ready.push(preempted);
  } else if (s.owner == running->id && m.ready.from(running->priority) == 1) {
    m.ready.push(running);
    running = m.next();
    if (!running) __builtin_unreachable();
  }
  s.owner = preempted ? no_task : running->id;
  s.end = port::now() + s.length;
}

}  // namespace detail

/// Time slices: each task of a kernel runs for at least `length` while others as urgent are ready,
/// and for less than two such slices. Without them it runs until it waits.
///
///     BATON_KERNEL_MEMORY baton::kernel::time_slices turns{kernel, 10_ms};
///
/// Shape    a program without time slices holds neither this nor its code.
/// Units    ticks.
/// Context  made before `run`; it outlives that.
/// Cost     one alarm per slice.
struct time_slices : slicing {
  time_slices(kernel_state& m, duration length) : slicing{length.ticks(), 0, no_task, &detail::end_slice} {
    m.slices = this;
  }
  time_slices(const time_slices&) = delete;
  time_slices& operator=(const time_slices&) = delete;
};

}  // namespace kernel
}  // namespace baton
