// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/system.hpp>

/// Memory of a task's own: its stack and its data in one piece, which no other task touches where
/// the port protects memory.
///
/// In a program that is compiled with BATON_PRIVATE_MEMORY, all of it, such a task is private: it
/// touches nothing but its piece, code, constants, and what its description names.
namespace baton {
namespace kernel {

namespace detail {

/// The smallest stack of at least so many bytes that the port can use.
constexpr word stack_that_holds(word bytes) {
  word n = (bytes + 7) / 8 * 8;
  while (!kernel_port::is_stack_size(n)) n += 8;
  return n;
}

/// The first function of a task with data: the data is its local variable.
template <typename State>
inline void begin_with_state(void* entry) {
  State s{};
  reinterpret_cast<void (*)(State&)>(entry)(s);
}

}  // namespace detail

/// The memory of a task that gets a `State`: a stack of at least `StackBytes`, and the data.
///
///     struct counts { uint32_t good = 0, bad = 0; };
///     BATON_TASK_MEMORY kernel::task_memory<counts, 512> memory;
///     void sense(counts& c) { ... }
///
///     program.create(kernel::describe(3, sense, memory, "sensor"));
///
/// Shape    one piece, which is the task's stack; where the port guards stacks by their size, it is
///          a power of two, and the stack gets what is left over. The data lies in the task's first
///          frame, so an overflow meets the end of the piece before it meets the data.
/// Context  the data is constructed at each start of the task, by the task, with its rights; it is
///          destroyed when the task's function returns, and not when the task is ended otherwise.
template <typename State, word StackBytes>
struct task_memory : stack<detail::stack_that_holds(StackBytes + sizeof(State) + alignof(State))> {};

/// Makes the description of a task that has data.
/// Context  the task is private in a program with BATON_PRIVATE_MEMORY.
template <typename State, word StackBytes>
inline task_description describe(priority level, void (*entry)(State&), task_memory<State, StackBytes>& memory,
                                 const char* name) {
  task_description d = describe(level, &detail::begin_with_state<State>, memory, name, reinterpret_cast<void*>(entry));
#ifdef BATON_PRIVATE_MEMORY
  d.touches.is_private = true;
#endif
  return d;
}

#ifdef BATON_PRIVATE_MEMORY

/// An object that private tasks share: those whose descriptions name it, and no other task.
///
///     BATON_KERNEL_MEMORY kernel::shared_memory<board> chess_board;
///
/// Shape    padded to what the port can protect. It begins as zeros: `T` has no initializer.
template <typename T>
struct alignas(T) alignas(kernel_port::alignment_of_stack(detail::stack_that_holds(sizeof(T) < 32 ? 32 : sizeof(T))))
    shared_memory {
  T value;
};

/// Lets the task of a private description share an object.
template <typename T>
inline task_description sharing(shared_memory<T>& object, task_description d) {
  d.touches.shared = {&object, sizeof object};
  return d;
}

/// Lets the task of a private description touch the registers of a device.
/// Units    bytes; an MPU of ARMv7-M wants a power of two from 32 on, and `first` a multiple of it;
///          one of ARMv8-M wants multiples of 32.
inline task_description with_device(uintptr_t first, word bytes, task_description d) {
  d.touches.device = {reinterpret_cast<void*>(first), bytes};
  return d;
}

#endif

}  // namespace kernel
}  // namespace baton
