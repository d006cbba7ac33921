// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/syscalls.hpp>

namespace baton {
namespace kernel {

/// A kernel and its memory: how many tasks, priority levels and interrupt events there can be. A program has one.
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
class system : public kernel_state {
  static_assert(Tasks >= 1 && Tasks < 255, "1 to 254 tasks: an id holds the slot in 8 bits");
  static_assert(PriorityLevels >= 1 && PriorityLevels <= 31, "1 to 31 priority levels: a word holds a bit for each");
  static_assert(InterruptEvents >= 1 && InterruptEvents <= 32, "1 to 32 interrupt events: a word holds a bit for each");

 public:
  /// Says a task's fault where the port says such things: on the console, on standard error.
  system() : system(kernel_switch::say_fault) {}

  /// Tells the application, and leaves out what would print; null: nobody is told.
  explicit system(fault_listener listener)
      : kernel_state(tasks_, Tasks, tails_, PriorityLevels, waiters_, InterruptEvents) {
    on_fault = listener;
    number_slots();
  }

  /// Makes a task before `run`. See `handlers::create`.
  created create(const task_description& d) {
    request r = {};
    as_create(r).set_description(detail::address_of(&d));
    handlers::create(*this, r);
    return as_create(r).result();
  }

  /// Runs the tasks until `stop`; in virtual time also until nothing can ever happen.
  void run() {
    stopping = false;
    kernel_switch::run(*this);
  }

  /// Makes `run` return: soon after an interrupt, at the next call of a task.
  void stop() {
    stopping = true;
    port::attention::raise();
  }

 private:
  tcb tasks_[Tasks];
  tcb* tails_[PriorityLevels] = {};
  tcb* waiters_[InterruptEvents] = {};
};

/// A task's stack.
/// Units    bytes; where the port guards stacks it may want a power of two.
template <word Bytes>
struct alignas(kernel_port::alignment_of_stack(Bytes)) stack {
  static_assert(Bytes >= kernel_port::least_stack, "too small a stack for this port: see kernel_port::least_stack");
  static_assert(kernel_port::is_stack_size(Bytes), "this port guards stacks by their size: take a power of two");
  uint32_t words[Bytes / sizeof(uint32_t)];
};

/// What `create` is told, in one line.
template <word Bytes>
inline task_description describe(priority level, void (*entry)(void*), stack<Bytes>& s, const char* name,
                                 void* argument = nullptr) {
  return task_description{level, entry, argument, s.words, Bytes, name, false};
}

/// The same, for a task that touches devices, or what other tasks and the kernel own.
template <word Bytes>
inline task_description describe_privileged(priority level, void (*entry)(void*), stack<Bytes>& s, const char* name,
                                            void* argument = nullptr) {
  return task_description{level, entry, argument, s.words, Bytes, name, true};
}

}  // namespace kernel
}  // namespace baton
