// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <reference_state.hpp>

namespace baton {
namespace test {

/// The specified behaviour of the kernel's calls that send, receive, reply and lend.
class reference_messages : public reference_state {
 public:
  using reference_state::reference_state;

  /// The bytes that the last call has copied into lent memory, for the test to take.
  word written_to = 0;
  word written = 0;

 protected:
  static bool is_bad(word address, word length) { return length > 0xffff || (address == 0 && length != 0); }

  /// Ends the call.
  void complete(error e) { self().first = raw(e); }

  void give_second(int t, word second) {
    at(t).second = second;
    at(t).has_second = true;
  }

  static error why_not_wait(tick timeout) {
    if (timeout == kernel::unlimited) return error::none;
    return timeout == 0 ? error::would_wait : timeout > kernel::longest_timeout ? error::bad_timeout : error::none;
  }

  /// Makes the running task wait, and runs another one; or refuses.
  void wait_for(state what, tick timeout) {
    const error e = why_not_wait(timeout);
    if (e != error::none) return complete(e);
    wait(what, timeout);
    run_next();
  }

  void send(const kernel_port::request& r) {
    const int to = find(r.first);
    if (is_bad(r.second, r.out_length) || is_bad(r.in, r.in_length)) {
      // An id that the slot will have next is refused later than a former one.
      return complete(to == nobody && !is_next(r.first) ? error::bad_task : error::bad_buffer);
    }
    if (to == nobody) return complete(error::bad_task);
    send_to(to, r, false);
  }

  void send_to(int to, const kernel_port::request& r, bool lends) {
    const error e = why_not_wait(r.timeout);
    if (e != error::none) return complete(e);
    const int me = running;
    const bool is_awaited = at(to).what == state::from_wait && at(to).on == me;
    if (!is_awaited && would_deadlock(me, to)) return complete(error::deadlock);
    if (is_awaited) leave(to);
    const bool is_expected = is_awaited || at(to).what == state::receive_wait;
    at(me).on = to;
    at(me).lends = lends;
    wait(is_expected ? state::reply_wait : state::send_wait, r.timeout);
    inherit();
    if (!is_expected) return run_next();
    deliver(me, to);
    hand_over(to);
  }

  void send_lending(const kernel_port::request& r) {
    if (r.first == 0 || r.first % sizeof(word) != 0 || is_bad(r.second, r.out_length) || is_bad(r.in, r.in_length))
      return complete(error::bad_buffer);
    const int to = find(reinterpret_cast<const kernel::lease_list*>(r.first)->destination);
    if (to == nobody) return complete(error::bad_task);
    send_to(to, r, true);
  }

  /// The address of what a client has lent; 0 if it has not.
  word lent_memory(int client, const kernel_port::request& r, kernel::lease_access wanted) const {
    const kernel::lease_list& list = *reinterpret_cast<const kernel::lease_list*>(at(client).asked.first);
    if (r.out_length >= list.count) return 0;
    const kernel::lease& l = reinterpret_cast<const kernel::lease_list_of<3>&>(list).pieces[r.out_length];
    if (l.access != wanted && l.access != kernel::lease_access::read_write) return 0;
    if (r.second > l.bytes || r.in_length > l.bytes - r.second || !l.address) return 0;
    return reinterpret_cast<word>(l.address) + r.second;
  }

  void copy_lent(const kernel_port::request& r, kernel::lease_access wanted) {
    const int client = client_of(r.first);
    const bool has_lent =
        client != nobody && at(client).on == running && at(client).what == state::reply_wait && at(client).lends;
    if (!has_lent) return complete(error::no_right);
    if (is_bad(r.in, r.in_length)) return complete(error::bad_buffer);
    const word there = lent_memory(client, r, wanted);
    if (there == 0) return complete(error::bad_lease);
    self().first = r.in_length;
    if (wanted == kernel::lease_access::read) {
      self().has_message = true;
      self().message = there;
      self().message_bytes = r.in_length;
    } else {
      written_to = there;
      written = r.in_length;
    }
  }

  bool is_next(kernel::tid id) const {
    for (const slot& s : slots) {
      if (s.what == state::free && s.id == id) return true;
    }
    return false;
  }

  /// Ends a receiver's call with a message.
  void deliver(int from, int to) {
    at(to).what = state::ready;
    at(to).is_timed = false;
    at(to).first = at(from).asked.out_length;
    give_message(to, at(from).asked);
    give_second(to, at(from).token);
    at(to).sender = at(from).id;
    at(to).has_sender = true;
  }

  void give_message(int to, const kernel_port::request& from) {
    at(to).has_message = true;
    at(to).message = from.second;
    at(to).message_bytes = std::min(from.out_length, at(to).asked.in_length);
  }

  void hand_over(int to) {
    at(to).is_queued = false;
    const int other = first_ready();
    const bool is_fair = other == nobody || at(other).priority < at(to).priority;
    if (is_fair || (at(other).priority == at(to).priority && ++consecutive_handoffs < 16)) return run(to);
    consecutive_handoffs = 0;
    make_ready(to);
    run_next();
  }

  void receive(const kernel_port::request& r) {
    if (is_bad(r.in, r.in_length)) return complete(error::bad_buffer);
    const int from = first_sender_to(running);
    if (from != nobody) {
      at(from).what = state::reply_wait;
      return deliver(from, running);
    }
    if (self().notification_mask & self().notifications) return complete(error::notified);
    wait_for(state::receive_wait, r.timeout);
  }

  void receive_from(const kernel_port::request& r) {
    const int from = find(r.first);
    if (from == nobody) return complete(error::bad_task);
    if (is_bad(r.in, r.in_length)) return complete(error::bad_buffer);
    if (at(from).what == state::send_wait && at(from).on == running) {
      at(from).what = state::reply_wait;
      return deliver(from, running);
    }
    const error e = why_not_wait(r.timeout);
    if (e != error::none) return complete(e);
    if (would_deadlock(running, from)) return complete(error::deadlock);
    self().on = from;
    wait(state::from_wait, r.timeout);
    inherit();
    run_next();
  }

  error why_not_reply(int client, const kernel_port::request& r) const {
    if (client == nobody || at(client).on != running) return error::no_right;
    if (is_bad(r.second, r.out_length)) return error::bad_buffer;
    return at(client).what == state::reply_wait ? error::none : error::no_right;
  }

  /// The client that a reply is for; nobody if it is refused.
  int replied_to(const kernel_port::request& r) {
    const int client = client_of(r.first);
    const error e = why_not_reply(client, r);
    if (e != error::none) {
      complete(e);
      return nobody;
    }
    at(client).first = r.out_length;
    give_message(client, r);
    self().first = at(client).message_bytes;
    leave(client);
    return client;
  }

  void reply(const kernel_port::request& r) {
    const int client = replied_to(r);
    if (client == nobody) return;
    make_ready(client);
    yield_to_higher_priority();
  }

  void reply_error(const kernel_port::request& r) {
    const int client = client_of(r.first);
    const bool waits = client != nobody && at(client).on == running && at(client).what == state::reply_wait;
    if (!waits || r.second == 0 || r.second > 0x3fff) return complete(error::no_right);
    complete(error::none);
    wake(client, word{0} - 0x100 - r.second);
    yield_to_higher_priority();
  }

  void reply_receive(const kernel_port::request& r) {
    if (is_bad(r.in, r.in_length)) return complete(error::bad_buffer);
    if (r.first == kernel::no_client.raw) return receive(r);
    const int client = replied_to(r);
    if (client == nobody) return;
    const bool just_waits =
        first_sender_to(running) == nobody && self().notification_mask == 0 && r.timeout == kernel::unlimited;
    if (just_waits) {
      wait(state::receive_wait, r.timeout);
      return hand_over(client);
    }
    make_ready(client);
    const int me = running;
    receive(r);
    if (running == me) yield_to_higher_priority();
  }
};

}  // namespace test
}  // namespace baton
