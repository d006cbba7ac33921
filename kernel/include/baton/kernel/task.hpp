// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/port.hpp>

namespace baton {
namespace kernel {

using request = kernel_port::request;

/// A place in the table of tasks, and what the kernel knows of the task that has it.
///
/// Context  the kernel alone writes it; an interrupt touches `notices` alone. A task in no queue has a null `next`.
struct task {
  task* next = nullptr;     // in a ready ring, or in a queue of senders
  request* call = nullptr;  // what it has asked for, while it waits
  task* peer = nullptr;     // while it sends: to whom; while it waits for a reply: from whom; else null
  task* senders = nullptr;  // who sends to it, the most urgent first
  tid id = no_task;         // that of the task that has the place or, while it is free, of the next one
  uint8_t now = 0;          // a `state`, and `timed`
  priority urgency = 0;     // at which it runs: its own, or that of the most urgent task that waits for it
  priority own = 0;
  bool is_privileged = false;
  word notices = 0;   // notification bits that it has not taken
  word listened = 0;  // notification bits that end its `receive`
  task* next_timed = nullptr;
  tick due = 0;
  const char* name = nullptr;
  uint32_t* stack = nullptr;  // its lowest word
  word stack_bytes = 0;
  tid parent = no_task;
  kernel_port::context context;

  bool is_free() const { return now == static_cast<uint8_t>(state::free); }
  state what() const { return static_cast<state>(now & static_cast<uint8_t>(~timed)); }
  bool is_timed() const { return (now & timed) != 0; }
  void become(state s) { now = static_cast<uint8_t>(s); }
  bool is(state s) const { return now == static_cast<uint8_t>(s); }
};

}  // namespace kernel
}  // namespace baton
