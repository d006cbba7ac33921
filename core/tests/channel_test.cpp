// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>
#include <stddef.h>

using namespace baton;

namespace {

template <typename Channel>
struct sender : coroutine<sender<Channel>, deadline> {
  sender(Channel& into, uint8_t first, uint8_t how_many) : target(into), value(first), left(how_many) {}
  point step(point at) {
    BATON_BEGIN();
    for (; left; --left, ++value) {
      BATON_WAIT(target.send(value));
      if (this->result() != status::ok) MARK("send ended", this->result());
    }
    BATON_END();
  }
  Channel& target;
  uint8_t value;
  uint8_t left;
};

template <typename Channel>
struct receiver : coroutine<receiver<Channel>, deadline> {
  receiver(Channel& from, uint8_t how_many) : source(from), left(how_many) {}
  point step(point at) {
    BATON_BEGIN();
    for (; left; --left) {
      BATON_WAIT(source.receive(value));
      if (this->result() == status::ok) {
        MARK("got", value);
      } else {
        MARK("receive ended", this->result());
      }
    }
    BATON_END();
  }
  Channel& source;
  uint8_t value = 0;
  uint8_t left;
};

/// Waits no longer than 10 ms, to send or to receive.
template <typename Channel>
struct hasty : coroutine<hasty<Channel>, deadline> {
  hasty(Channel& c, bool does_send) : other(c), sends(does_send) {}
  point step(point at) {
    BATON_BEGIN();
    if (sends) {
      BATON_WAIT_FOR(milliseconds(10), other.send(value));
    } else {
      BATON_WAIT_UNTIL(milliseconds(10).ticks(), other.receive(value));
    }
    MARK("ended", this->result());
    BATON_END();
  }
  Channel& other;
  bool sends;
  uint8_t value = 77;
};

using rendezvous = channel<uint8_t>;
using buffered = channel<uint8_t, 2>;

}  // namespace

TEST_CASE("a receiver waits for the sender, which hands over and goes on") {
  rendezvous pipe;
  sender<rendezvous> s(pipe, 5, 1);
  receiver<rendezvous> r(pipe, 1);
  NAME(pipe);
  NAME(s);
  NAME(r);
  r.start();
  s.start();
  scheduler::run();
  CHECK_TRACE("r ready", "s ready", "r runs", "r waits pipe", "s runs", "r ready", "s done", "r runs", "got 5",
              "r done");
}

TEST_CASE("a sender waits for the receiver, which takes the value and goes on") {
  rendezvous pipe;
  sender<rendezvous> s(pipe, 5, 1);
  receiver<rendezvous> r(pipe, 1);
  NAME(pipe);
  NAME(s);
  NAME(r);
  s.start();
  r.start();
  scheduler::run();
  CHECK_TRACE("s ready", "r ready", "s runs", "s waits pipe", "r runs", "s ready", "got 5", "r done", "s runs",
              "s done");
}

TEST_CASE("many senders are received from in the order in which they came") {
  rendezvous pipe;
  sender<rendezvous> a(pipe, 10, 2), b(pipe, 20, 1), c(pipe, 30, 1);
  a.start();
  b.start();
  c.start();
  scheduler::run_until_idle();
  uint8_t got[4] = {};
  for (uint8_t& g : got) {
    CHECK_EQ(pipe.try_receive(g), status::ok);
    scheduler::run_until_idle();
  }
  CHECK_EQ(got[0], 10);
  CHECK_EQ(got[1], 20);
  CHECK_EQ(got[2], 30);
  CHECK_EQ(got[3], 11);
}

TEST_CASE("many receivers are served in the order in which they came, and run in that order") {
  rendezvous pipe;
  receiver<rendezvous> a(pipe, 1), b(pipe, 1), c(pipe, 1);
  NAME(a);
  NAME(b);
  NAME(c);
  b.start();
  a.start();
  c.start();
  scheduler::run_until_idle();
  sim::clock::get().trace = nullptr;
  test::recorder::get().clear();
  for (uint8_t i = 1; i <= 3; ++i) CHECK_EQ(pipe.try_send(i), status::ok);
  CHECK_EQ(pipe.try_send(4), status::full);
  CHECK_EQ(b.value, 1);
  CHECK_EQ(a.value, 2);
  CHECK_EQ(c.value, 3);
  scheduler::run_until_idle();
  CHECK_TRACE("got 1", "got 2", "got 3");
}

TEST_CASE("a buffered channel stores values until it is full, and then a sender waits") {
  buffered store;
  sender<buffered> s(store, 1, 4);
  NAME(store);
  NAME(s);
  s.start();
  scheduler::run_until_idle();
  CHECK_TRACE("s ready", "s runs", "s waits store");
  uint8_t v = 0;
  for (uint8_t i = 1; i <= 4; ++i) {
    CHECK_EQ(store.try_receive(v), status::ok);
    CHECK_EQ(v, i);
    scheduler::run_until_idle();
  }
  CHECK_EQ(store.try_receive(v), status::empty);
  CHECK_TRACE("s ready", "s runs", "s waits store", "s ready", "s runs", "s done");
}

TEST_CASE("a receiver that waits at a buffered channel gets the value straight") {
  buffered store;
  receiver<buffered> r(store, 1);
  NAME(store);
  NAME(r);
  r.start();
  scheduler::run_until_idle();
  CHECK_EQ(store.try_send(9), status::ok);
  scheduler::run_until_idle();
  CHECK_TRACE("r ready", "r runs", "r waits store", "r ready", "r runs", "got 9", "r done");
}

TEST_CASE("the try forms never wait and say why they did nothing") {
  rendezvous pipe;
  buffered store;
  uint8_t v = 42;
  CHECK_EQ(pipe.try_send(1), status::full);
  CHECK_EQ(pipe.try_receive(v), status::empty);
  CHECK_EQ(store.try_receive(v), status::empty);
  CHECK_EQ(v, 42);
  CHECK_EQ(store.try_send(1), status::ok);
  CHECK_EQ(store.try_send(2), status::ok);
  CHECK_EQ(store.try_send(3), status::full);
  CHECK_EQ(store.try_receive(v), status::ok);
  CHECK_EQ(v, 1);
  pipe.close();
  CHECK(pipe.is_closed());
  CHECK_EQ(pipe.try_send(1), status::closed);
  CHECK_EQ(pipe.try_receive(v), status::closed);
}

TEST_CASE("close ends all waits in the order in which they came; what comes later ends at once") {
  rendezvous pipe;
  receiver<rendezvous> a(pipe, 2), b(pipe, 1);
  NAME(pipe);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  pipe.close();
  pipe.close();
  CHECK_TRACE("a ready", "b ready", "a runs", "a waits pipe", "b runs", "b waits pipe", "a ready", "b ready");
  scheduler::run();
  CHECK_TRACE("a runs", "receive ended 3", "a runs", "receive ended 3", "a done", "b runs", "receive ended 3",
              "b done");
}

TEST_CASE("a send to a closed channel has not happened; what is stored can still be received") {
  buffered store;
  sender<buffered> s(store, 1, 3);
  s.start();
  scheduler::run_until_idle();
  store.close();
  NAME(s);
  scheduler::run();
  CHECK_TRACE("s runs", "send ended 3", "s done");
  uint8_t v = 0;
  CHECK_EQ(store.try_receive(v), status::ok);
  CHECK_EQ(v, 1);
  CHECK_EQ(store.try_receive(v), status::ok);
  CHECK_EQ(v, 2);
  CHECK_EQ(store.try_receive(v), status::closed);
  CHECK_EQ(store.try_send(9), status::closed);
}

TEST_CASE("a wait with a deadline on a closed channel ends with closed, and leaves no timer behind") {
  rendezvous pipe;
  pipe.close();
  hasty<rendezvous> a(pipe, true);
  NAME(a);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a runs", "ended 3", "a done");
  CHECK(timers::first() == nullptr);
  CHECK_EQ(sim::clock::get().jumps, 0);
}

TEST_CASE("a send that times out has not happened") {
  rendezvous pipe;
  hasty<rendezvous> a(pipe, true);
  NAME(a);
  NAME(pipe);
  a.start();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits pipe", "a ready", "a runs", "ended 4", "a done");
  uint8_t v = 1;
  CHECK_EQ(pipe.try_receive(v), status::empty);
  CHECK(port::now() == milliseconds(10));
}

TEST_CASE("a receive in time disarms its timer") {
  rendezvous pipe;
  hasty<rendezvous> a(pipe, false);
  NAME(a);
  NAME(pipe);
  a.start();
  scheduler::run_until_idle();
  sim::advance(milliseconds(9));
  CHECK_EQ(pipe.try_send(8), status::ok);
  scheduler::run_until_idle();
  CHECK(timers::first() == nullptr);
  CHECK_TRACE("a ready", "a runs", "a waits pipe", "a ready", "a runs", "ended 0", "a done");
}

TEST_CASE("a deadline that expires after the hand-over comes too late") {
  rendezvous pipe;
  hasty<rendezvous> a(pipe, false);
  NAME(a);
  NAME(pipe);
  a.start();
  scheduler::run_until_idle();
  CHECK_EQ(pipe.try_send(8), status::ok);
  sim::advance(milliseconds(10));
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "a waits pipe", "a ready", "a runs", "ended 0", "a done");
  CHECK_EQ(a.value, 8);
}

TEST_CASE("a hand-over after the deadline has woken the job comes too late") {
  rendezvous pipe;
  hasty<rendezvous> a(pipe, false);
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  sim::advance(milliseconds(10));
  scheduler::run_one();
  CHECK_EQ(pipe.try_send(8), status::full);
  scheduler::run();
  CHECK_EQ(a.value, 77);
}

TEST_CASE("a cancelled send has not happened, and a cancelled receive has received nothing") {
  rendezvous pipe;
  sender<rendezvous> s(pipe, 1, 2);
  NAME(s);
  NAME(pipe);
  s.start();
  scheduler::run_until_idle();
  CHECK(s.cancel());
  CHECK(!s.cancel());
  uint8_t v = 0;
  CHECK_EQ(pipe.try_receive(v), status::empty);
  scheduler::run_until_idle();
  CHECK_TRACE("s ready", "s runs", "s waits pipe", "s ready", "s runs", "send ended 5", "s waits pipe");
  CHECK_EQ(pipe.try_receive(v), status::ok);
  CHECK_EQ(v, 2);
  CHECK(!s.cancel());
}

TEST_CASE("cancelling the oldest, the middle and the newest waiter leaves the others in order") {
  for (uint8_t i = 0; i < 3; ++i) {
    test::start_fresh();
    rendezvous pipe;
    receiver<rendezvous> a(pipe, 1), b(pipe, 1), c(pipe, 1);
    receiver<rendezvous>* all[] = {&a, &b, &c};
    for (receiver<rendezvous>* r : all) r->start();
    scheduler::run_until_idle();
    CHECK(all[i]->cancel());
    CHECK_EQ(pipe.try_send(1), status::ok);
    CHECK_EQ(pipe.try_send(2), status::ok);
    CHECK_EQ(pipe.try_send(3), status::full);
    CHECK_EQ(all[i == 0 ? 1 : 0]->value, 1);
    CHECK_EQ(all[i == 2 ? 1 : 2]->value, 2);
    CHECK_EQ(all[i]->value, 0);
  }
}

TEST_CASE("a suspended receiver is passed over, and ends its wait with cancelled when it is resumed") {
  rendezvous pipe;
  receiver<rendezvous> a(pipe, 1), b(pipe, 1);
  NAME(a);
  NAME(b);
  a.start();
  b.start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  a.suspend();
  CHECK_EQ(pipe.try_send(1), status::ok);
  scheduler::run();
  a.resume();
  scheduler::run();
  CHECK_TRACE("b ready", "b runs", "got 1", "b done", "a ready", "a runs", "receive ended 5", "a done");
}

TEST_CASE("a receiver that is suspended after the hand-over keeps its value") {
  rendezvous pipe;
  receiver<rendezvous> a(pipe, 1);
  NAME(a);
  a.start();
  scheduler::run_until_idle();
  CHECK_EQ(pipe.try_send(1), status::ok);
  a.suspend();
  scheduler::run();
  test::recorder::get().clear();
  a.resume();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "got 1", "a done");
  CHECK_EQ(dropped_values(), 0);
}

TEST_CASE("a value that was handed to a receiver which goes away before it ran is counted as lost") {
  for (uint8_t how = 0; how < 4; ++how) {
    test::start_fresh();
    rendezvous pipe;
    {
      receiver<rendezvous> a(pipe, 1);
      a.start();
      scheduler::run_until_idle();
      CHECK_EQ(pipe.try_send(1), status::ok);
      if (how & 2) a.suspend();
      if (how & 1) {
        a.restart();
        CHECK_WITH(dropped_values() == 1, how);
      }
    }
    CHECK_WITH(dropped_values() == 1, how);
  }
}

TEST_CASE("a value that was read is not lost, whatever its reader does then") {
  struct reader : coroutine<reader, deadline> {
    explicit reader(rendezvous& from) : source(from) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(source.receive(value));
      if (what == 0) BATON_YIELD();
      if (what == 1) BATON_SUSPEND();
      if (what == 2) BATON_DELAY_MS(5);
      if (what == 3) BATON_WAIT(source.receive(value));
      BATON_END();
    }
    rendezvous& source;
    uint8_t value = 0;
    uint8_t what = 0;
  };
  for (uint8_t what = 0; what < 5; ++what) {
    test::start_fresh();
    rendezvous pipe;
    {
      reader a(pipe);
      a.what = what;
      a.start();
      scheduler::run_until_idle();
      CHECK_EQ(pipe.try_send(1), status::ok);
      scheduler::run_for(1);
      a.resume();
    }
    CHECK_WITH(dropped_values() == 0, what);
  }
}

TEST_CASE("a destroyed channel ends the waits with closed") {
  receiver<rendezvous>* r = nullptr;
  alignas(rendezvous) static char place[sizeof(rendezvous)];
  struct in_place {
    static void* operator new(size_t, void* p) { return p; }
    static void operator delete(void*, void*) {}
    rendezvous pipe;
  };
  static_assert(sizeof(in_place) == sizeof(rendezvous), "");
  in_place* box = new (static_cast<void*>(place)) in_place;
  receiver<rendezvous> a(box->pipe, 1);
  r = &a;
  NAME(a);
  r->start();
  scheduler::run_until_idle();
  test::recorder::get().clear();
  box->~in_place();
  scheduler::run();
  CHECK_TRACE("a ready", "a runs", "receive ended 3", "a done");
}

TEST_CASE("a destroyed waiter leaves the channel") {
  rendezvous pipe;
  {
    receiver<rendezvous> a(pipe, 1);
    a.start();
    scheduler::run_until_idle();
  }
  CHECK_EQ(pipe.try_send(1), status::full);
  CHECK_EQ(dropped_values(), 0);
}
