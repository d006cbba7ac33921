// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/spi/time_limit.hpp>
#include <stdint.h>

namespace baton {
namespace kernel {

/// An unsigned number as wide as a register.
using word = uintptr_t;

/// The id of a task: its slot in the table, and the generation of that slot. 0 names no task.
///
/// Context  the id of a task that has ended never means another task by mistake: each task in a
///          slot gets another generation. Generations come round after 255 uses of a slot on 16-bit
///          machines, 16 million on others.
using tid = word;

constexpr tid no_task = 0;

/// A message that a server has received: the right to reply to it, once.
///
/// Shape    the client's slot in the table, and a number that the client gets anew at the end of
///          each wait. A late reply is refused, and never answers the client's next message.
/// Context  numbers come round after 128 messages of a client on 16-bit machines, 8 million on
///          others.
struct reply_token {
  word raw;

  constexpr uint8_t slot() const { return static_cast<uint8_t>(raw); }
  friend constexpr bool operator==(reply_token a, reply_token b) { return a.raw == b.raw; }
  friend constexpr bool operator!=(reply_token a, reply_token b) { return a.raw != b.raw; }
};

constexpr reply_token no_client = {0};

/// The priority of a task; larger is more urgent.
using priority = uint8_t;

/// The longest message, in bytes. A larger length counts as a mistake, and so does a negative one.
constexpr word longest_message = sizeof(word) == 2 ? 0x7fff : 0xffff;

/// The longest name that a task without privileges may give to a child, in characters.
constexpr word longest_task_name = 31;

/// The timeout of a wait without a limit, `forever`, as the number in a request. (A timeout of 0
/// does not wait.)
constexpr tick unlimited = forever_t::ticks();

/// The longest timeout except `unlimited`, in ticks. It is core's: less than half of the clock's
/// range.
constexpr tick longest_timeout = longest_delay;

/// The largest error code that a server may give, on every machine; the smallest is 1.
constexpr word largest_error_code = 0x3fff;

/// The error of a call: core's errors as in `status`, and those that only a kernel has.
enum class error : uint8_t {
  none,
  timed_out,     ///< the deadline came first; the operation did not happen
  peer_gone,     ///< the task that the caller has sent to has ended
  would_wait,    ///< the timeout was 0, and the call would have to wait; nothing happened
  bad_task,      ///< no task has this id: it has ended, or never was
  bad_buffer,    ///< a length beyond `longest_message`, a null buffer with a length, or memory that is not the task's
  no_right,      ///< the caller may not do this; `reply`: nobody waits for the caller's reply to this message
  deadlock,      ///< the tasks would wait for each other in a cycle; nothing happened
  table_full,    ///< no slot is left for another task
  bad_priority,  ///< the priority is beyond the table's
  bad_event,     ///< the event is beyond the table's
  busy,          ///< another task waits for this event already
  bad_call,      ///< no such call
  bad_stack,     ///< null, too small, too large, another task's, or not aligned as the port needs it
  bad_timeout,   ///< the timeout is beyond `longest_timeout`
  notified,      ///< a notification bit of the receiver's mask is set; no message was taken
  server_error,  ///< the server has ended the call by `reply_error`: see `ipc_result::error_code`
  bad_lease,     ///< the client has not lent that, or not so, or may not touch it itself
};

/// The number of errors, for tables of names.
constexpr uint8_t errors = 18;

/// The result of a call, in one word: the length of a message, an error, or a server's error code.
///
/// Units    `length()` is the length that the sender gave, in bytes. If it is more than the
///          receiver's buffer holds, the message was truncated.
class ipc_result {
 public:
  constexpr ipc_result() = default;
  constexpr explicit ipc_result(word raw) : raw_(raw) {}
  // An error is a result. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr ipc_result(error e) : raw_(static_cast<word>(0) - static_cast<word>(e)) {}

  /// The result of a `send` whose server has given this error code.
  static constexpr ipc_result of_error_code(word code) { return ipc_result(static_cast<word>(0) - first_code - code); }

  constexpr bool is_ok() const { return raw_ <= longest_message; }
  constexpr explicit operator bool() const { return is_ok(); }
  constexpr error why() const {
    return is_ok() ? error::none : error_code() ? error::server_error : static_cast<error>(number());
  }
  /// The code that the server has given by `reply_error`; 0 for any other result.
  constexpr word error_code() const { return is_ok() || number() <= first_code ? 0 : number() - first_code; }
  constexpr word length() const { return is_ok() ? raw_ : 0; }
  constexpr bool is_longer_than(word buffer_bytes) const { return is_ok() && raw_ > buffer_bytes; }
  constexpr word raw() const { return raw_; }

 private:
  /// Codes lie behind the numbers of errors, so that no server gives a result of the kernel.
  static constexpr word first_code = 0x100;
  constexpr word number() const { return static_cast<word>(0) - raw_; }

  word raw_ = 0;
};

/// The answer of a call: three registers.
struct answer {
  word first;   ///< an `ipc_result`, raw; or an id
  word second;  ///< the message's token; or an id, or notification bits
  word third;   ///< the sender's id; of other calls nothing
};

/// The result of `create`, and the id of the new task.
struct created {
  ipc_result result;
  tid id;

  explicit operator bool() const { return result.is_ok(); }
};

/// The state of a task.
enum class state : uint8_t {
  free,          ///< the slot in the table has no task
  ready,         ///< the task runs, or is in the ready queue
  send_wait,     ///< the task has sent, and its message has not been received
  reply_wait,    ///< its message was received and has no reply yet; one bit more than `send_wait`
  receive_wait,  ///< the task waits for a message
  event_wait,    ///< the task waits for an interrupt event
  notify_wait,   ///< the task waits for notification bits
  asleep,        ///< the task waits for time to pass
  from_wait,     ///< the task waits for a message of one task
};

/// A bit in a task's state, set while its wait has a timeout.
constexpr uint8_t timed = 0x80;

/// A bit in a task's state, set while it lends memory to the server to which it has sent.
constexpr uint8_t lending = 0x40;

/// The reason why the kernel ended a task.
enum class fault : uint8_t {
  stack_overflow,  ///< the task used more stack than it has
  bad_access,      ///< the task touched memory that is not its own
  other,           ///< any other exception: an undefined instruction, a division by zero, a bus error
};

/// The way in which a task has ended.
enum class ending : uint8_t {
  exited,  ///< it called `exit`, or its function has returned
  killed,  ///< another task, or itself, has called `kill`
  failed,  ///< the kernel has ended it because of a fault
};

/// The registers of a task at the instruction that has failed, as far as the port knows them; else
/// 0.
struct fault_registers {
  word pc;
  word sp;
  word lr;  ///< the return address, of a function that has called no other since
};

/// The notification bit that tells of the end of a task: the coroutine server of any, because the
/// task may have left something in a primitive; with `end_reports`, a maker of its child's.
constexpr word ended_notification = ~(static_cast<word>(-1) >> 1) >> 1;

/// The report on the end of a task: see `end_reports`.
struct end_report {
  tid id;
  const char* name;  ///< may be null
  ending how;
  fault why;     ///< of a task that has failed
  uint8_t lost;  ///< the reports that were lost before, because too many were not taken; up to 255
  word address;  ///< of a task that has failed: of the access or of the instruction, 0 if unknown
  fault_registers registers;
};

/// The time that a task has run, in a program that is compiled with `BATON_TASK_TIMES`.
struct task_time {
  tick ran;           ///< the time in which it was the running task, interrupts included; wraps as the clock does
  uint32_t switches;  ///< how often it became the running task
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
  reply_error,
  receive_from,
  send_lending,
  copy_from,
  copy_to,
  take_end_report,
};

constexpr uint8_t calls = 23;

struct kernel_state;
struct tcb;

/// A piece of memory; of 0 bytes: none.
struct memory_piece {
  void* start;
  word bytes;
};

/// The memory that a private task touches besides its own, code and constants.
///
/// Shape    `is_private` false: all that tasks without privileges may touch, and the pieces are
///          empty. See <baton/kernel/task_memory.hpp>.
struct reach {
  bool is_private;
  memory_piece shared;  ///< memory that other tasks touch, too
  memory_piece device;  ///< the registers of a device
};

/// The description of a task for `create`.
///
/// Context  `create` copies it. A task without privileges gives a priority up to its own, a stack
///          that is BATON_TASK_MEMORY, an entry in the program, and a name that is null or a
///          constant text of at most `longest_task_name` characters.
struct task_description {
  kernel::priority priority;
  void (*entry)(void*);
  void* argument;
  void* stack;
  word stack_bytes;
  const char* name;
  bool is_privileged;  ///< may access the kernel's memory and the devices, where the port protects them
#ifdef BATON_PRIVATE_MEMORY
  kernel::reach touches = {};  ///< of a task without privileges
#endif
};

}  // namespace kernel
}  // namespace baton
