// SPDX-License-Identifier: MIT
#pragma once

#include <reference_messages.hpp>

namespace baton {
namespace test {

/// The specified behaviour of the kernel at each call and at each interrupt.
class reference : public reference_messages {
 public:
  using reference_messages::reference_messages;
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

 private:
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
