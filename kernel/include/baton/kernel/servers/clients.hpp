// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/syscalls.hpp>

/// Questions of servers to the kernel about tasks: does a task live, and does it still wait?
namespace baton {
namespace kernel {

/// The id of the task that main makes first: clients of a server with this id need not look it up.
constexpr tid first_task = static_cast<tid>(1) << 8;

/// True if the task of this id has not ended. After its end the slot may have been given to another
/// task.
inline bool is_alive(tid id) {
  return notify(id, 0).is_ok();
}

/// True if a client whose message the running task has received still waits for the reply: it has
/// not ended, and its timeout has not come.
/// Cost     O(the client's untouched stack): for the rare case, such as a table that is full.
inline bool still_waits(reply_token client) {
  task_report r;
  return inspect(client.slot(), r) && r.message == client && r.state == state::reply_wait && r.peer == my_tid();
}

/// True if both messages came from one slot of the table: the client that asks anew, or the next
/// task there, has left the former wait.
constexpr bool same_slot(reply_token a, reply_token b) {
  return a.slot() == b.slot();
}

namespace detail {

/// Calls a server whose reply has an error, `why`. The result is the kernel's error, or else `why`.
template <typename Request, typename Reply>
ipc_result ask(tid server, const Request& question, Reply& answer, time_limit timeout) {
  const ipc_result o = protocol<Request, Reply>::call(server, question, answer, timeout);
  return o.is_ok() ? ipc_result(answer.why) : o;
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
