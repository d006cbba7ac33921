// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/port.hpp>

/// The parts of the contract with a port about private tasks that a port may leave out.
namespace baton {
namespace kernel {
namespace detail {

template <typename Port>
constexpr auto alignment_of_piece_on(word bytes, int) -> decltype(Port::alignment_of_piece(bytes)) {
  return Port::alignment_of_piece(bytes);
}
template <typename Port>
constexpr word alignment_of_piece_on(word bytes, long) {
  return Port::alignment_of_stack(bytes);
}

/// The alignment of memory that private tasks have for themselves or share.
constexpr word alignment_of_piece(word bytes) {
  return alignment_of_piece_on<kernel_port>(bytes, 0);
}

template <typename Port>
inline auto why_refused_on(const task_description& d, int) -> decltype(Port::why_not(d)) {
  return Port::why_not(d);
}
template <typename Port>
constexpr error why_refused_on(const task_description&, long) {
  return error::none;
}

/// The size of what a description shares if it names two objects: no port can protect that.
constexpr word two_pieces = static_cast<word>(-1);

/// Tells why the port cannot keep this task private.
inline error why_port_refuses(const task_description& d) {
  return why_refused_on<kernel_port>(d, 0);
}

template <typename Port>
inline auto is_stack_guarded_on(const typename Port::context& c, int) -> decltype(Port::guards_stack_of(c)) {
  return Port::guards_stack_of(c);
}
template <typename Port>
constexpr bool is_stack_guarded_on(const typename Port::context&, long) {
  return Port::guards_stacks;
}

/// True if the processor itself finds an overflow of this task's stack, whose lowest word may then
/// hold anything.
inline bool is_stack_guarded(const kernel_port::context& c) {
  return is_stack_guarded_on<kernel_port>(c, 0);
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
