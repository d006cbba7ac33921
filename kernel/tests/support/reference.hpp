// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <reference_state.hpp>

namespace baton {
namespace test {

/// The specified behaviour of the kernel at each call and at each interrupt.
class reference : public reference_state {
 public:
  using reference_state::reference_state;
  using call_number = kernel::call_number;
  using ending = kernel::ending;
  using fault = kernel::fault;

  /// The description of a task for `create`.
  struct creation {
    error refused;  // the mistake in the description for any caller; none if it is good
    int priority;
    int stack;
    bool is_privileged;
  };

  void call(uint8_t number, const kernel_port::request& r, const creation& c) {
    const int me = running;
    self().has_called = true;
    self().is_counted = false;
    self().asked = r;
    self().has_second = false;
    self().has_sender = false;
    self().has_message = false;
    told = kernel::no_task;
    overflown = nobody;
    make_call(number, r, c);
    if (running == me || at(me).what == state::free || !at(me).is_overwritten) return;
    overflown = me;
    ended = at(me);
    end(me, ending::failed, fault::stack_overflow);
    yield_to_higher_priority();
  }

  /// Makes a task; returns nobody if no slot is free.
  int create(const creation& c) {
    for (int t = 0; t < size(); ++t) {
      if (at(t).what != state::free) continue;
      at(t).base_priority = at(t).priority = c.priority;
      at(t).stack = c.stack;
      at(t).is_privileged = c.is_privileged;
      at(t).parent = running == nobody ? kernel::no_task : self().id;
      make_ready(t);
      return t;
    }
    return nobody;
  }

  void fail() {
    end(running, ending::failed, fault::other);
    run_next();
  }

  void raise_event(unsigned event) {
    if (event < static_cast<unsigned>(events)) raised |= 1u << event;
  }

  void notify_from_interrupt(kernel::tid id, word bits) {
    const int t = find(id);
    if (t == nobody) return;
    at(t).notifications |= bits;
    has_notifications = true;
  }

  void handle_pending() {
    for (int e = 0; e < events; ++e) {
      const int t = waiter_of(e);
      if (t == nobody || (raised >> e & 1) == 0) continue;
      raised &= ~(1u << e);
      wake(t, error::none);
    }
    for (int t = 0; has_notifications && t < size(); ++t) wake_for_notifications(t);
    has_notifications = false;
    for (int t = first_timed(); t != nobody && is_due(at(t).due); t = first_timed()) {
      wake(t, at(t).what == state::asleep ? error::none : error::timed_out);
    }
    yield_to_higher_priority();
    end_slice();
  }

  /// The bytes that the last call has copied into lent memory, for the test to take.
  word written_to = 0;
  word written = 0;

 private:
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

  void make_call(uint8_t number, const kernel_port::request& r, const creation& c) {
    if (number >= kernel::calls) return complete(error::bad_call);
    switch (static_cast<call_number>(number)) {
      case call_number::send:
        return send(r);
      case call_number::receive:
        return receive(r);
      case call_number::reply:
        return reply(r);
      case call_number::reply_receive:
        return reply_receive(r);
      case call_number::yield:
        return yield();
      case call_number::exit:
        return exit();
      case call_number::my_tid:
        self().first = self().id;
        return;
      case call_number::parent:
        self().first = self().parent;
        return;
      case call_number::create:
        return make_task(c);
      case call_number::kill:
        return kill(r);
      case call_number::wait_interrupt_event:
        return wait_interrupt_event(r);
      case call_number::notify:
        return notify(r);
      case call_number::wait_notification:
        return wait_notification(r);
      case call_number::sleep:
        return sleep(r);
      case call_number::now:
        self().first = static_cast<word>(now + base);
        return;
      case call_number::inspect:
        return inspect(r);
      case call_number::set_notification_mask:
        self().notification_mask = r.first;
        return complete(error::none);
      case call_number::take_end_report:
        return take_end_report(r);
      case call_number::reply_error:
        return reply_error(r);
      case call_number::receive_from:
        return receive_from(r);
      case call_number::send_lending:
        return send_lending(r);
      case call_number::copy_from:
        return copy_lent(r, kernel::lease_access::read);
      case call_number::copy_to:
        return copy_lent(r, kernel::lease_access::write);
    }
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

  void yield() {
    complete(error::none);
    make_ready(running);
    run_next();
  }

  void make_task(const creation& c) {
    error e = c.refused;
    const bool gives_more_than_it_has = c.is_privileged || c.priority > self().base_priority;
    if (e == error::none && gives_more_than_it_has && !self().is_privileged) e = error::no_right;
    if (e != error::none) return complete(e);
    const int t = create(c);
    if (t == nobody) return complete(error::table_full);
    complete(error::none);
    give_second(running, at(t).id);
    yield_to_higher_priority();
  }

  void kill(const kernel_port::request& r) {
    const int t = find(r.first);
    if (t == nobody) return complete(error::bad_task);
    if (t != running && at(t).parent != self().id && !self().is_privileged) return complete(error::no_right);
    end(t, ending::killed);
    if (running == nobody) return run_next();
    complete(error::none);
    yield_to_higher_priority();
  }

  void exit() {
    end(running, ending::exited);
    run_next();
  }

  /// Ends a task, and reports it to the nearest maker that lives or, if there is none, to the task
  /// that hears of orphans.
  void end(int t, ending how, fault why = fault{}) {
    const slot ended = at(t);
    reference_state::end(t);
    if (!reports) return;
    int to = find(ended.parent);
    if (to == nobody) to = find(of_orphans);
    for (size_t i = kept.size(); i-- != 0;) {
      if (kept[i].to != ended.id) continue;
      if (to == nobody) {
        kept.erase(i);
      } else {
        kept[i].to = at(to).id;
      }
    }
    if (to == nobody) return;
    if (kept.size() == reports) {
      kept.erase(0);
      lost = std::min(lost + 1, 255);
    }
    kept.push_back({ended.id, how, why, 0, at(to).id});
    told = at(to).id;
    at(to).notifications |= kernel::ended_notification;
    wake_for_notifications(to);
  }

  void take_end_report(const kernel_port::request& r) {
    if (!reports) return complete(error::bad_call);
    if (!r.in) return complete(error::bad_buffer);
    size_t oldest = 0;
    while (oldest != kept.size() && kept[oldest].to != self().id) ++oldest;
    if (oldest == kept.size()) return complete(error::would_wait);
    taken = kept[oldest];
    taken.lost = lost;
    lost = 0;
    kept.erase(oldest);
    complete(error::none);
  }

  void wait_interrupt_event(const kernel_port::request& r) {
    if (r.first >= static_cast<word>(events)) return complete(error::bad_event);
    const int event = static_cast<int>(r.first);
    self().asked.first = static_cast<word>(events);  // the task does not wait yet
    if (waiter_of(event) != nobody) return complete(error::busy);
    self().asked.first = r.first;
    if (raised >> event & 1) {
      raised &= ~(1u << event);
      return complete(error::none);
    }
    wait_for(state::event_wait, r.timeout);
  }

  void notify(const kernel_port::request& r) {
    const int t = find(r.first);
    if (t == nobody) return complete(error::bad_task);
    complete(error::none);
    at(t).notifications |= r.second;
    wake_for_notifications(t);
    yield_to_higher_priority();
  }

  void wake_for_notifications(int t) {
    if (at(t).what == state::receive_wait && (at(t).notification_mask & at(t).notifications))
      return wake(t, error::notified);
    if (at(t).what != state::notify_wait || (at(t).asked.first & at(t).notifications) == 0) return;
    give_second(t, at(t).notifications & at(t).asked.first);
    at(t).notifications &= ~at(t).asked.first;
    wake(t, error::none);
  }

  void wait_notification(const kernel_port::request& r) {
    const word taken = self().notifications & r.first;
    give_second(running, taken);
    self().notifications &= ~r.first;
    if (taken) return complete(error::none);
    wait_for(state::notify_wait, r.timeout);
  }

  void sleep(const kernel_port::request& r) {
    if (r.timeout > kernel::longest_timeout) return complete(error::bad_timeout);
    if (r.timeout == 0) return yield();
    wait_for(state::asleep, r.timeout);
  }

  void inspect(const kernel_port::request& r) {
    if (r.first >= slots.size()) return complete(error::bad_task);
    complete(r.in ? error::none : error::bad_buffer);
  }

  /// Ends a time slice: a task that has run for one while another as urgent is ready goes behind
  /// it. A slice begins when the kernel first looks, and goes on while a more urgent task runs.
  void end_slice() {
    if (slice == 0 || running == nobody) return;
    const int owner = find(sliced);
    const bool is_own = owner == running;
    const bool waits_for_turn = owner != nobody && at(owner).is_queued && at(owner).priority < self().priority;
    if ((is_own || waits_for_turn) && !is_due(slice_end)) return;
    const int other = first_ready();
    if (waits_for_turn) {
      make_ready(owner);
    } else if (is_own && other != nobody && at(other).priority == self().priority) {
      make_ready(running);
      run_next();
    }
    sliced = waits_for_turn ? kernel::no_task : self().id;
    slice_end = now + slice;
  }
};

}  // namespace test
}  // namespace baton
