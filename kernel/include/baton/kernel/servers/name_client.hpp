// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/servers/clients.hpp>

/// What the name server and its clients say to each other.
namespace baton {
namespace kernel {

/// Characters of a name, at most.
constexpr uint8_t longest_name = 15;

enum class name_call : uint8_t {
  register_as,
  forget,
  look_up,   ///< answered at once
  wait_for,  ///< answered as soon as somebody has registered the name
};

/// A name is copied, so that it need not live on.
struct name_request {
  name_call what;
  char name[longest_name + 1];
};

struct name_reply {
  error why;
  tid id;
};

using name_protocol = protocol<name_request, name_reply>;

/// A task that was found by its name.
struct found {
  ipc_result result;
  tid id;

  explicit operator bool() const { return result.is_ok(); }
};

/// The way to a name server.
///
/// Shape    the server's id: `first_task` unless it is told otherwise, so a program makes the name server first.
/// Errors   of all calls: bad_buffer, a name that is null, empty or longer than `longest_name`. bad_task, peer_gone: there is no name
///          server.
class names {
 public:
  constexpr explicit names(tid server = first_task) : server_(server) {}

  /// Gives the running task a name; it may have several. It is forgotten when the task ends.
  /// Errors   busy: another task that lives has this name. table_full: so have others all slots.
  ipc_result register_as(const char* name) const {
    tid id;
    return ask(name_call::register_as, name, forever, id);
  }

  /// Takes a name from the running task.
  /// Errors   no_right: it does not have this name.
  ipc_result forget(const char* name) const {
    tid id;
    return ask(name_call::forget, name, forever, id);
  }

  /// Who has a name; waits until somebody has, no longer than `timeout`.
  /// Errors   would_wait: nobody has it, and the timeout was 0. timed_out. table_full: too many wait already.
  found who_is(const char* name, tick timeout = forever) const {
    found f = {error::none, no_task};
    f.result =
        ask(timeout == 0 ? name_call::look_up : name_call::wait_for, name, timeout == 0 ? forever : timeout, f.id);
    return f;
  }

 private:
  /// Copies a name; what is behind it in the message is 0. false: it is none.
  static bool copy(char (&to)[longest_name + 1], const char* from) {
    if (!from || !*from) return false;
    uint8_t length = 0;
    while (length != longest_name && from[length]) {
      to[length] = from[length];
      ++length;
    }
    return from[length] == 0;
  }

  ipc_result ask(name_call what, const char* name, tick timeout, tid& id) const {
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
