// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/scheduler.hpp>

/// The buffers of a message, and its copy from task to task: see messages.hpp.
namespace baton {
namespace kernel {

namespace detail {

BATON_INLINE word shorter(word a, word b) {
  return a < b ? a : b;
}

/// True if the buffer is invalid: too long, null with a length, or not accessible to the running
/// task.
BATON_INLINE bool is_bad(const tcb* self, word address, word length, bool is_written) {
  if (kernel_port::protects_memory) {
    return !kernel_port::may_access(self->context, reinterpret_cast<const void*>(address), length, is_written);
  }
  if (BATON_UNLIKELY(length > longest_message)) return true;
  if (BATON_UNLIKELY(address == 0)) return length != 0;
  return false;
}

BATON_INLINE bool has_bad_buffer(const tcb* self, receive_request r) {
  return is_bad(self, r.buffer(), r.capacity(), true);
}

BATON_INLINE void copy(word to, word from, word bytes) {
  kernel_port::copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
}

/// Copies a message to a task that receives. It comes last in a call, because it may overwrite any
/// memory of a task.
BATON_INLINE void deliver(word message, word length, word token, tid sender, receive_request to) {
  to.set_message_bytes(length);
  to.set_client(token);
  to.set_sender(sender);
  copy(to.buffer(), message, shorter(length, to.capacity()));
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
