// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/servers/name_client.hpp>
#include <baton/kernel/system.hpp>

namespace baton {
namespace kernel {

namespace detail {

inline bool same_name(const char* a, const char* b) {
  for (uint8_t i = 0; i <= longest_name; ++i) {
    if (a[i] != b[i]) return false;
    if (!a[i]) return true;
  }
  return false;  // not a name: it has no end
}

inline void copy_name(char* to, const char* from) {
  for (uint8_t i = 0; i <= longest_name; ++i) to[i] = from[i];
}

inline bool is_name(const char* name) {
  return name[0] && name[longest_name] == 0;
}

}  // namespace detail

/// A task that knows the other tasks by name. Its clients use `names`.
///
///     baton::kernel::name_server<8> names;
///     system.create(names.describe(6, stack));  // first of all: then its clients know its id
///
/// Shape    `Names` names and `Waiters` tasks that wait for one, inline. No heap.
/// Context  an ordinary task without privileges. A name belongs to a task that lives. The name of a
///          task that has ended, as its id's generation tells, is free, and its slot is reused. A
///          name that another live task has is refused, so that no task takes a server's clients
///          from it. Tasks that wait for a name are answered in the order of asking.
/// Cost     O(Names + Waiters) per request.
template <uint8_t Names, uint8_t Waiters = 4>
class name_server {
  static_assert(Names != 0, "Names must be at least 1");

 public:
  /// Describes its task for `create`.
  template <word Bytes>
  task_description describe(priority level, stack<Bytes>& s, const char* name = "names") {
    return kernel::describe(level, &begin, s, name, this);
  }

 private:
  struct entry {
    tid id = no_task;
    char name[longest_name + 1] = {};
  };
  struct waiter {
    reply_token client = no_client;
    char name[longest_name + 1] = {};
  };

  static void begin(void* self) { static_cast<name_server*>(self)->serve(); }

  void serve() {
    reply_token client = no_client;
    name_request question;
    name_reply answer = {error::none, no_task};
    for (;;) {
      const received m = name_protocol::reply_receive(client, answer, question);
      client = no_client;
      if (!m) continue;  // the client has gone; in this case nothing was received either
      drop_waiter(m.client);
      answer = name_reply{error::bad_call, no_task};
      if (name_protocol::is_whole(m) && handle(m, question, answer)) continue;
      client = m.client;
    }
  }

  /// Does what a client asks for. true: the client waits for its answer.
  bool handle(const received& m, const name_request& q, name_reply& a) {
    a.why = error::bad_buffer;
    if (!detail::is_name(q.name)) return false;
    entry* known = find(q.name);
    switch (q.what) {
      case name_call::register_as:
        a.why = add(m.from, q.name, known);
        break;
      case name_call::forget:
        a.why = known && known->id == m.from ? error::none : error::no_right;
        if (a.why == error::none) known->id = no_task;
        break;
      case name_call::look_up:
      case name_call::wait_for:
        a = name_reply{error::none, known ? known->id : no_task};
        if (known) break;
        a.why = q.what == name_call::look_up ? error::would_wait : add_waiter(m.client, q.name);
        return a.why == error::none;
      default:
        a.why = error::bad_call;
    }
    return false;
  }

  /// The entry of the live task that has the name; null if there is none. The name of a task that
  /// has ended is forgotten here.
  entry* find(const char* name) {
    for (entry& e : entries_) {
      if (e.id == no_task || !detail::same_name(e.name, name)) continue;
      if (is_alive(e.id)) return &e;
      e.id = no_task;
    }
    return nullptr;
  }

  error add(tid from, const char* name, const entry* known) {
    if (known) return known->id == from ? error::none : error::busy;
    entry* free = free_entry();
    if (!free) return error::table_full;
    free->id = from;
    detail::copy_name(free->name, name);
    answer_waiters(name, from);
    return error::none;
  }

  entry* free_entry() {
    for (entry& e : entries_) {
      if (e.id == no_task) return &e;
    }
    for (entry& e : entries_) {
      if (!is_alive(e.id)) return &e;
    }
    return nullptr;
  }

  error add_waiter(reply_token client, const char* name) {
    if (waiting_ == Waiters) drop_those_that_left();
    if (waiting_ == Waiters) return error::table_full;
    waiters_[waiting_].client = client;
    detail::copy_name(waiters_[waiting_].name, name);
    ++waiting_;
    return error::none;
  }

  /// Answers the clients that wait for a name. The reply to a client whose timeout has come is
  /// refused, and the client has its `timed_out` already.
  void answer_waiters(const char* name, tid id) {
    for (uint8_t i = 0; i < waiting_;) {
      if (!detail::same_name(waiters_[i].name, name)) {
        ++i;
        continue;
      }
      const reply_token client = waiters_[i].client;
      remove_waiter(i);
      name_protocol::reply(client, name_reply{error::none, id});
    }
  }

  /// Drops the former wait of a client. A client that asks anew does not wait any more.
  void drop_waiter(reply_token client) {
    for (uint8_t i = 0; i < waiting_; ++i) {
      if (same_slot(waiters_[i].client, client)) return remove_waiter(i);
    }
  }

  void drop_those_that_left() {
    for (uint8_t i = waiting_; i-- > 0;) {
      if (!still_waits(waiters_[i].client)) remove_waiter(i);
    }
  }

  void remove_waiter(uint8_t slot) {
    --waiting_;
    for (uint8_t i = slot; i < waiting_; ++i) waiters_[i] = waiters_[i + 1];
  }

  entry entries_[Names];
  waiter waiters_[Waiters ? Waiters : 1];
  uint8_t waiting_ = 0;
};

}  // namespace kernel
}  // namespace baton
