// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/pieces.hpp>
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

/// A stack of a private task: a `stack` that begins, and ends, where the port can protect it.
template <word Bytes>
struct alignas(detail::alignment_of_piece(Bytes)) private_stack : stack<Bytes> {};

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
struct task_memory : private_stack<detail::stack_that_holds(StackBytes + sizeof(State) + alignof(State))> {};

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
struct alignas(T) alignas(detail::alignment_of_piece(detail::stack_that_holds(sizeof(T) < 32 ? 32 : sizeof(T))))
    shared_memory {
  static_assert(__is_trivial(T), "what tasks share begins as zeros: its type has no constructor and no initializer");
  T value;
};

/// Lets the task of a private description share an object. A task shares one.
/// Errors   `create` refuses with bad_buffer: a description that is not private, a second object,
///          an object that is not declared BATON_KERNEL_MEMORY where memory is protected.
template <typename T>
inline task_description sharing(shared_memory<T>& object, task_description d) {
  d.touches.shared = {&object, d.touches.shared.bytes == 0 ? sizeof object : detail::two_pieces};
  return d;
}

/// Lets the task of a private description touch the registers of a device.
/// Units    bytes; an MPU of ARMv7-M wants a power of two from 32 on, and `first` a multiple of it;
///          one of ARMv8-M multiples of 32; the MMU of an ARM926 whole KiB of one MiB.
/// Context  the task finds them at `register_of_device(first)`.
/// Errors   `create` refuses a description that is not private with bad_buffer.
inline task_description with_device(uintptr_t first, word bytes, task_description d) {
  d.touches.device = {reinterpret_cast<void*>(first), bytes};
  return d;
}

namespace detail {

template <typename Port>
inline auto register_on(uintptr_t address, int) -> decltype(Port::private_register(address)) {
  return Port::private_register(address);
}
template <typename Port>
constexpr uintptr_t register_on(uintptr_t address, long) {
  return address;
}

}  // namespace detail

/// Returns the address at which the running private task finds a register of its device: `address`
/// itself, but where an MMU shows it to each task at another one.
inline uintptr_t register_of_device(uintptr_t address) {
  return detail::register_on<kernel_port>(address, 0);
}

#endif

}  // namespace kernel
}  // namespace baton
