// SPDX-License-Identifier: MIT
#include "channel_stress.hpp"

// A stress test must be able to fail. Each of these rendezvous is the real one with one mutation,
// and the stress test must find it. Mutants of core itself were tried by hand, and each was found:
// a wait_list::remove that leaves the waiter in its list or forgets the tail, a withdrawal that
// says ok, a hand-over that wakes without `delivered`, a dropped value that is not counted, a timer
// that is not disarmed.

using namespace stress;

namespace {

enum class mutation : uint8_t { none, no_copy, no_wake, drop, late_timeout, jumps_in };

template <mutation Mutation>
class flawed_channel : domain_affinity {
 public:
  struct send_operation : list_wait {
    send_operation(flawed_channel& c, const message& m)
        : list_wait{&c.waiters_, wait_list::senders, const_cast<message*>(&m)}, target(&c) {}
    bool try_now(waiter& w) const {
      if (!target->deliver(*static_cast<const message*>(slot))) return false;
      w.end(status::ok);
      return true;
    }
    flawed_channel* target;
  };

  struct receive_operation : list_wait {
    receive_operation(flawed_channel& c, message& m) : list_wait{&c.waiters_, wait_list::receivers, &m}, source(&c) {}
    bool try_now(waiter& w) const {
      if (!source->accept(*static_cast<message*>(slot))) return false;
      w.end(status::ok);
      return true;
    }
    static bool withdraw(waiter& w) {
      if (list_wait::withdraw(w)) return true;
      if (Mutation == mutation::late_timeout && w.on == waiter::delivered) w.end(status::timed_out);
      return false;
    }
    flawed_channel* source;
  };

  ~flawed_channel() { close_list(waiters_); }
  send_operation send(const message& m) { return send_operation(*this, m); }
  receive_operation receive(message& m) { return receive_operation(*this, m); }

 private:
  bool strikes(mutation d) { return Mutation == d && ++turns_ % 64 == 0; }

  bool deliver(const message& m) {
    if (strikes(mutation::drop)) return true;
    waiter* receiver = waiters_.take(wait_list::receivers);
    if (!receiver) return false;
    if (!strikes(mutation::no_copy)) *static_cast<message*>(receiver->slot) = m;
    wake(receiver, waiter::delivered);
    return true;
  }

  bool accept(message& m) {
    if (!waiters_.holds(wait_list::senders)) return false;
    m = *static_cast<const message*>(waiters_.oldest()->slot);
    if (strikes(mutation::no_wake)) return true;  // the sender stays the oldest
    wake(waiters_.take_oldest(), static_cast<uint8_t>(strikes(mutation::jumps_in) ? status::timed_out : status::ok));
    return true;
  }

  wait_list waiters_;
  uint8_t turns_ = 0;
};

template <mutation Mutation>
report stress_over() {
  channel_stress<flawed_channel<Mutation>> s(7);
  rage(s, test::is_small_target ? 1500 : 20000);
  return s.found;
}

}  // namespace

TEST_CASE("the rendezvous without a mutation passes") {
  CHECK_EQ(stress_over<mutation::none>().first, fault::none);
}

TEST_CASE("a hand-over that forgets to copy the value is found") {
  CHECK(stress_over<mutation::no_copy>().faults > 0);
}

TEST_CASE("a value that is taken while its sender goes on waiting is found") {
  CHECK_EQ(stress_over<mutation::no_wake>().first, fault::arrived_twice);
}

TEST_CASE("a value that is dropped is found") {
  CHECK(stress_over<mutation::drop>().faults > 0);
}

TEST_CASE("a deadline that comes after the hand-over and ends the wait all the same is found") {
  CHECK_EQ(stress_over<mutation::late_timeout>().first, fault::wrong_status);
}

TEST_CASE("a send that happened and is said to have timed out is found") {
  CHECK_EQ(stress_over<mutation::jumps_in>().first, fault::failed_but_arrived);
}
