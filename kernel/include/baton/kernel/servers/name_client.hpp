// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/servers/clients.hpp>

/// The protocol of the name server and its clients.
namespace baton {
namespace kernel {

/// The largest number of characters of a name.
constexpr uint8_t longest_name = 15;

enum class name_call : uint8_t {
  register_as,
  forget,
  look_up,   ///< answered at once
  wait_for,  ///< answered as soon as a task has registered the name
};

/// A request. It holds a copy of the name, so the caller's need not live on.
struct name_request {
  name_call what;
  char name[longest_name + 1];
};

struct name_reply {
  error why;
  tid id;
};

using name_protocol = protocol<name_request, name_reply>;

/// The result of a look-up: the task that has the name.
struct found {
  ipc_result result;
  tid id;

  explicit operator bool() const { return result.is_ok(); }
};

/// A client's access to a name server.
///
/// Shape    the server's id. The default is `first_task`, so a program makes the name server first.
/// Errors   of all calls: bad_buffer, a name that is null, empty or longer than `longest_name`.
///          bad_task, peer_gone: there is no name server.
class names {
 public:
  constexpr explicit names(tid server = first_task) : server_(server) {}

  /// Gives the running task a name; a task may have several. A name is forgotten when its task
  /// ends.
  /// Errors   busy: another task that lives has this name. table_full: other names take all slots.
  ipc_result register_as(const char* name) const {
    tid id;
    return ask(name_call::register_as, name, forever, id);
  }

  /// Takes a name from the running task.
  /// Errors   no_right: the task does not have this name.
  ipc_result forget(const char* name) const {
    tid id;
    return ask(name_call::forget, name, forever, id);
  }

  /// Finds the task that has a name; waits until there is one, no longer than `timeout`.
  /// Errors   would_wait: no task has it, and the timeout was 0. timed_out. table_full: too many
  ///          clients wait already.
  found who_is(const char* name, time_limit timeout = forever) const {
    found f = {error::none, no_task};
    f.result = ask(timeout == duration() ? name_call::look_up : name_call::wait_for, name,
                   timeout == duration() ? time_limit(forever) : timeout, f.id);
    return f;
  }

 private:
  /// Copies a name; the rest of the array keeps its zeros. false: it is not a name.
  static bool copy(char (&to)[longest_name + 1], const char* from) {
    if (!from || !*from) return false;
    uint8_t length = 0;
    while (length != longest_name && from[length]) {
      to[length] = from[length];
      ++length;
    }
    return from[length] == 0;
  }

  ipc_result ask(name_call what, const char* name, time_limit timeout, tid& id) const {
    name_request question = {what, {}};
    if (!copy(question.name, name)) return error::bad_buffer;
    name_reply answer = {error::bad_call, no_task};
    const ipc_result o = detail::ask(server_, question, answer, timeout);
    id = o ? answer.id : no_task;
    return o;
  }

  tid server_;
};

}  // namespace kernel
}  // namespace baton
