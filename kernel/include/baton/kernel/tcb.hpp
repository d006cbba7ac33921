// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/port.hpp>

namespace baton {
namespace kernel {

using request = kernel_port::request;

/// A slot in the table of tasks, and what the kernel knows of the task that has it.
///
/// Context  the kernel alone writes it; an interrupt touches `notifications` alone. A task in no queue has a null `next`.
struct tcb {
  tcb* next = nullptr;            // in a ready ring, or in a queue of senders
  request* call = nullptr;        // what it has asked for, while it waits
  tcb* peer = nullptr;            // while it sends: to whom; while it waits for a reply: from whom; else null
  tcb* senders = nullptr;         // who sends to it, the most urgent first
  tid id = no_task;               // that of the task that has the slot or, while it is free, of the next one
  uint8_t state_bits = 0;         // a `state`, and `timed`
  kernel::priority priority = 0;  // at which it runs: its own, or that of the most urgent task that waits for it
  kernel::priority base_priority = 0;
  bool is_privileged = false;
  word notifications = 0;      // notification bits that it has not taken
  word notification_mask = 0;  // notification bits that end its `receive`
  tcb* next_timed = nullptr;
  tick due = 0;
  const char* name = nullptr;
  uint32_t* stack = nullptr;  // its lowest word
  word stack_bytes = 0;
  tid parent = no_task;
  kernel_port::context context;

  bool is_free() const { return state_bits == static_cast<uint8_t>(kernel::state::free); }
  kernel::state state() const { return static_cast<kernel::state>(state_bits & static_cast<uint8_t>(~timed)); }
  bool is_timed() const { return (state_bits & timed) != 0; }
  void become(kernel::state s) { state_bits = static_cast<uint8_t>(s); }
  bool is(kernel::state s) const { return state_bits == static_cast<uint8_t>(s); }
};

}  // namespace kernel
}  // namespace baton
