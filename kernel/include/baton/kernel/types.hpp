// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/ticks.hpp>
#include <stdint.h>

namespace baton {
namespace kernel {

/// What fits in a register.
using word = uintptr_t;

/// Names a task: its slot in the table, and in which of the table's uses of that slot. 0 names none.
///
/// Context  a task that has ended is never meant by mistake: its slot gets another generation. They come round after 255 uses
///          of a slot on 16-bit machines, 16 million on others.
using tid = word;

constexpr tid no_task = 0;

/// Larger is more urgent.
using priority = uint8_t;

/// Longest message, in bytes. Beyond it a length is taken for a mistake, a negative one among them.
constexpr word longest_message = sizeof(word) == 2 ? 0x7fff : 0xffff;

/// For a timeout: as long as it takes. (0: do not wait.)
constexpr tick forever = static_cast<tick>(-1);

/// The longest timeout but for `forever`, in ticks: core's, less than half of what the clock counts before it wraps.
constexpr tick longest_timeout = longest_delay;

/// How a call ended: what core calls `status`, and what only a kernel can refuse.
enum class error : uint8_t {
  none,
  timed_out,     ///< the deadline came first; the operation did not happen
  peer_gone,     ///< the task that was sent to, or that owed the reply, has ended
  would_wait,    ///< the timeout was 0, and it cannot be done at once; nothing happened
  bad_task,      ///< no task has this id: it never was, or has ended
  bad_buffer,    ///< a length beyond `longest_message`, a null buffer with a length, or memory that is not the task's
  no_right,      ///< the task does not wait for a reply of the caller's
  deadlock,      ///< the tasks would wait for each other in a cycle; nothing happened
  table_full,    ///< no slot is left for another task
  bad_priority,  ///< beyond the table's
  bad_event,     ///< beyond the table's
  busy,          ///< another task waits for this event already
  bad_call,      ///< no such call
  bad_stack,     ///< too small, or another task's, or not aligned as the port needs it
  bad_timeout,   ///< beyond `longest_timeout`
  notified,      ///< a notification bit came that the receiver listens for; no message was taken
};

/// The number of errors, for tables of names.
constexpr uint8_t errors = 16;

/// How a call ended, in one word: the length of a message, or an error.
///
/// Units    `length()` is the length that the sender gave, in bytes; more than the receiver's buffer holds means that the message
///          was truncated.
class ipc_result {
 public:
  constexpr ipc_result() = default;
  constexpr explicit ipc_result(word raw) : raw_(raw) {}
  // An error is a result. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr ipc_result(error e) : raw_(static_cast<word>(0) - static_cast<word>(e)) {}

  constexpr bool is_ok() const { return raw_ <= longest_message; }
  constexpr explicit operator bool() const { return is_ok(); }
  constexpr error why() const { return is_ok() ? error::none : static_cast<error>(static_cast<word>(0) - raw_); }
  constexpr word length() const { return is_ok() ? raw_ : 0; }
  constexpr bool is_longer_than(word buffer_bytes) const { return is_ok() && raw_ > buffer_bytes; }
  constexpr word raw() const { return raw_; }

 private:
  word raw_ = 0;
};

/// What a call gives back: two registers.
struct answer {
  word first;   ///< an `ipc_result`, raw; or an id
  word second;  ///< who has sent; or notification bits
};

/// A task that was made.
struct created {
  ipc_result result;
  tid id;

  explicit operator bool() const { return result.is_ok(); }
};

/// What a task is doing, or what it waits for.
enum class state : uint8_t {
  free,          ///< the slot in the table is nobody's
  ready,         ///< it runs, or is in the ready queue
  send_wait,     ///< it has sent, and its message has not been received
  reply_wait,    ///< its message has been received, and not replied to; one bit more than `send_wait`
  receive_wait,  ///< it waits for a message
  event_wait,    ///< it waits for an interrupt event
  notify_wait,   ///< it waits for notification bits
  asleep,        ///< it waits for time to pass
};

/// Set in a task's state while its wait has a timeout.
constexpr uint8_t timed = 0x80;

/// Why a task was ended that did not end itself.
enum class fault : uint8_t {
  stack_overflow,  ///< it used more stack than it has
  bad_access,      ///< it touched memory that is not its own
  other,           ///< any other exception: an undefined instruction, a division by zero, a bus error
};

/// The kernel's calls. The numbers are those of the trap.
enum class call_number : uint8_t {
  send,
  receive,
  reply,
  reply_receive,
  yield,
  exit,
  my_tid,
  parent,
  create,
  kill,
  wait_interrupt_event,
  notify,
  wait_notification,
  sleep,
  now,
  inspect,
  set_notification_mask,
};

constexpr uint8_t calls = 17;

struct kernel_state;
struct tcb;

/// What `create` is told.
struct task_description {
  kernel::priority priority;
  void (*entry)(void*);
  void* argument;
  void* stack;
  word stack_bytes;
  const char* name;
  bool is_privileged;  ///< may touch what the kernel and the devices own, where the port tells a task from the kernel
};

}  // namespace kernel
}  // namespace baton
