// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/coroutine_server_core.hpp>
#include <baton/kernel/reachable.hpp>

namespace baton {
namespace kernel {

/// A request that a task has received from an endpoint, and the right to reply to it once.
struct reply_right {
  uint8_t slot = 0;
  uint16_t uses = 0;
};

/// The task that runs a program's coroutines, and the access of the other tasks to core's
/// primitives.
///
///     baton::kernel::coroutine_server<4, 32> coroutines;
///     baton::kernel::reachable<baton::channel<uint16_t, 4>> readings;
///
///     coroutines.create(system, 3, stack);
///     coroutines.open(readings);
///     sensor.start();  // a coroutine: BATON_WAIT(readings.send(value_))
///     ...
///     coroutines.receive(readings, value, 5_ms)  // in any other task
///
/// Shape    `Slots` operations that wait at the same time, each with `Bytes` for its values: the
///          largest of the values, and for an endpoint the sum of a pointer, a request and a reply.
///          No heap. One coroutine server per program.
/// Context  core's code runs in this task alone, without locks. A task's operation is a message to
///          this task, and a job does it there like a coroutine: FIFO with the coroutines, and
///          exact: the operation has happened or it has not, whatever its status. While it waits,
///          the coroutine server inherits the caller's priority. When a task ends, its operation is
///          withdrawn, and a request that it has received and not replied to ends with `peer_gone`.
///          A value that was handed over to a task that has ended is counted in `dropped_values()`.
///          A coroutine may call `notify` and `reply`; a coroutine that waits in the kernel keeps
///          all others waiting.
/// Cost     two traps of the caller and two of the coroutine server, and a job.
/// Errors   of all operations: full: no slot is free. peer_gone: the coroutine server has ended, or
///          was not made. no_right: the primitive was not opened or is gone, or the timeout is
///          beyond `longest_delay`. With a timeout of 0 nothing waits: full, empty, as core's
///          `try_` forms. Else core's: closed, timed_out, cancelled, peer_gone.
template <uint8_t Slots, word Bytes>
class coroutine_server : public coroutine_server_core {
  static_assert(Slots != 0 && Bytes != 0, "Slots and Bytes must each be at least 1");
  static constexpr word room = (Bytes + 7) / 8 * 8;

  struct nothing {};
  template <typename T>
  struct same {
    using type = T;
  };
  template <typename Primitive>
  using of = detail::operations_of<Primitive>;

 public:
  coroutine_server() : coroutine_server_core(slots_, Slots, request_, answer_, room) { furnish(values_[0]); }

  /// Makes the task. `system` must not have a coroutine server.
  /// Context  main, before the kernel runs.
  /// Errors   busy; and those of `create`.
  template <typename System, word StackBytes>
  created create(System& system, priority level, stack<StackBytes>& s, const char* name = "coroutines") {
    if (system.coroutine_server) return created{error::busy, no_task};
    const created made = system.create(describe_privileged(level, &coroutine_server_core::begin, s, name, this));
    if (made) system.coroutine_server = system.find(made.id);
    id_ = made.id;
    return made;
  }

  /// Sends a value, waiting while there is no room.
  template <typename T, uint16_t N>
  status send(reachable<channel<T, N>>& c, const typename same<T>::type& value, time_limit timeout = forever) {
    return ask(c, of<channel<T, N>>::send, timeout, value);
  }

  /// Receives a value, waiting while there is none.
  template <typename T, uint16_t N>
  status receive(reachable<channel<T, N>>& c, typename same<T>::type& value, time_limit timeout = forever) {
    return ask(c, of<channel<T, N>>::receive, timeout, nothing{}, &value);
  }

  /// Ends every wait on a channel with `closed`.
  template <typename T, uint16_t N>
  status close(reachable<channel<T, N>>& c) {
    return ask(c, of<channel<T, N>>::close, duration());
  }

  /// Sends a request and waits for the reply of the endpoint's server.
  template <typename Request, typename Reply>
  status call(reachable<endpoint<Request, Reply>>& e, const typename same<Request>::type& question,
              typename same<Reply>::type& answer, time_limit timeout = forever) {
    fits<exchange<Request, Reply>>();
    return ask(e, of<endpoint<Request, Reply>>::call, timeout, question, &answer);
  }

  /// Takes a request, waiting while there is none. `right` is for the reply; a task may owe several
  /// replies at the same time.
  template <typename Request, typename Reply>
  status receive(reachable<endpoint<Request, Reply>>& e, typename same<Request>::type& question, reply_right& right,
                 time_limit timeout = forever) {
    fits<served<Request, Reply>>();
    return ask(e, of<endpoint<Request, Reply>>::receive, timeout, nothing{}, &question, &right);
  }

  /// Replies to a request that was received. Never waits for the client.
  /// Errors   peer_gone: the client has gone. no_right: the request is not the caller's, or has its
  ///          reply.
  template <typename Request, typename Reply>
  status reply(reachable<endpoint<Request, Reply>>& e, const reply_right& right,
               const typename same<Reply>::type& answer) {
    reply_right r = right;
    return ask(e, of<endpoint<Request, Reply>>::reply, duration(), answer, static_cast<nothing*>(nullptr), &r);
  }

  /// Ends every wait in an endpoint's queue with `closed`.
  template <typename Request, typename Reply>
  status close(reachable<endpoint<Request, Reply>>& e) {
    return ask(e, of<endpoint<Request, Reply>>::close, duration());
  }

  /// Waits for a signal, or an `isr_signal`, and takes it.
  status wait(reachable<signal>& s, time_limit timeout = forever) { return ask(s, of<signal>::wait, timeout); }
  status wait(reachable<isr_signal>& s, time_limit timeout = forever) { return ask(s, of<isr_signal>::wait, timeout); }
  status set(reachable<signal>& s) { return ask(s, of<signal>::set, duration()); }

  /// Takes a unit, waiting while there is none; gives one back.
  status acquire(reachable<semaphore>& s, time_limit timeout = forever) {
    return ask(s, of<semaphore>::acquire, timeout);
  }
  status release(reachable<semaphore>& s) { return ask(s, of<semaphore>::release, duration()); }

  /// Waits for the flags that `what` names.
  status wait(reachable<event_flags>& f, flags_wait& what, time_limit timeout = forever) {
    return ask(f, of<event_flags>::wait, timeout, what, &what);
  }
  status set(reachable<event_flags>& f, uint16_t mask) { return ask(f, of<event_flags>::set, duration(), mask); }
  status clear(reachable<event_flags>& f, uint16_t mask) { return ask(f, of<event_flags>::clear, duration(), mask); }

 private:
  template <typename Header, typename T>
  struct message {
    Header head;
    T value;
  };
  template <typename T>
  static constexpr word bytes_of() {
    return static_cast<word>(__is_empty(T) ? 0 : sizeof(T));
  }

  template <typename T>
  static void fits() {
    static_assert(sizeof(T) <= room,
                  "this primitive's values do not fit in a slot of the coroutine server: give it more Bytes");
    static_assert(alignof(T) <= 8, "a value's alignment must be at most 8, that of the coroutine server's slots");
  }

  template <typename In = nothing, typename Out = nothing>
  status ask(reachable_base& d, uint8_t operation, time_limit timeout, const In& in = In(), Out* out = nullptr,
             reply_right* right = nullptr) {
    static_assert(__is_trivially_copyable(In) && __is_trivially_copyable(Out),
                  "a value goes from task to task byte by byte: it must be trivially copyable");
    fits<In>();
    fits<Out>();
    const reply_right owed = right ? *right : reply_right();
    const message<operation_request, In> question = {{&d, timeout.ticks(), operation, owed.slot, owed.uses}, in};
    message<operation_answer, Out> answer;
    answer.head.how = status::no_right;
    const ipc_result o = kernel::send(id_, &question, static_cast<word>(sizeof question.head + bytes_of<In>()), &answer,
                                      static_cast<word>(sizeof answer.head + bytes_of<Out>()));
    if (!o) return o.why() == error::bad_task || o.why() == error::peer_gone ? status::peer_gone : status::no_right;
    if (answer.head.how != status::ok) return answer.head.how;
    if (out) *out = answer.value;
    if (right) *right = reply_right{answer.head.slot, answer.head.uses};
    return status::ok;
  }

  operation_slot slots_[Slots];
  alignas(8) unsigned char values_[Slots][room];
  alignas(8) unsigned char request_[sizeof(operation_request) + room];
  alignas(8) unsigned char answer_[sizeof(operation_answer) + room];
};

}  // namespace kernel
}  // namespace baton
