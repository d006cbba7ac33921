// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/syscalls.hpp>

/// What servers ask of the kernel about tasks: who lives, and who still waits.
namespace baton {
namespace kernel {

/// The id of the task that main makes first: a server under it needs no way to be found.
constexpr tid first_task = static_cast<tid>(1) << 8;

/// Whether the task of this id has not ended. Its slot may have been given to another task meanwhile.
inline bool is_alive(tid id) {
  return notify(id, 0).is_ok();
}

/// Whether a client whose message the running task has received still waits for the reply: it has not ended, and its timeout has not come.
/// Cost     O(the client's untouched stack): for the rare case, such as a table that is full.
inline bool still_waits(tid client) {
  task_report r;
  return inspect(static_cast<uint8_t>(client), r) && r.id == client && r.state == state::reply_wait &&
         r.peer == my_tid();
}

namespace detail {

/// Calls a server whose reply says `why`: the result is the kernel's error, or else that.
template <typename Request, typename Reply>
ipc_result ask(tid server, const Request& question, Reply& answer, tick timeout) {
  const ipc_result o = protocol<Request, Reply>::call(server, question, answer, timeout);
  return o.is_ok() ? ipc_result(answer.why) : o;
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
