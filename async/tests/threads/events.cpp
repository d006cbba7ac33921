// SPDX-License-Identifier: MIT
#include "rig.hpp"

#include <baton/async/batched_sender.hpp>
#include <memory>

/// Events from eight threads at once: none is lost, none comes twice, and those of one sender come
/// in its order.
using namespace baton;
using async::task;

namespace {

constexpr unsigned senders = 8;
#ifdef __SANITIZE_THREAD__
constexpr uint32_t events_each = 30000;
#else
constexpr uint32_t events_each = 300000;
#endif

struct event {
  uint16_t sender;
  uint16_t spare;
  uint32_t number;
  uint64_t mirrored;
};

using box = async::cross_thread_queue<event, senders, 4>;

struct receiver {
  explicit receiver(async::loop& l) : in(l) {}

  void handle(const event& e) {
    CHECK(e.sender < senders && e.number == expected[e.sender] && e.mirrored == ~uint64_t{e.number});
    ++expected[e.sender];
    ++got;
  }

  box in;
  uint32_t expected[senders] = {};
  uint64_t got = 0;
};

task<> receive(receiver& r, uint64_t count) {
  unsigned rounds = 0;
  while (r.got < count) {
    CHECK(co_await r.in.wait() == status::ok);
    r.in.drain([&](const event& e) { r.handle(e); }, 1 + rounds++ % 100);  // leaves some chunks half read
    co_await async::yield();
  }
}

event numbered(unsigned sender, uint32_t n) {
  return {static_cast<uint16_t>(sender), 0, n, ~uint64_t{n}};
}

/// Threads without a loop send: some retry at once, some sleep; they flush at odd places.
void from_threads() {
  auto l = std::make_unique<async::loop>();
  auto r = std::make_unique<receiver>(*l);
  rig::together threads(senders, [&](unsigned me) {
    async::batched_sender<event> out(r->in);
    CHECK(out.is_connected());
    for (uint32_t n = 0; n != events_each; ++n) {
      const event e = numbered(me, n);
      if (me % 2) {
        CHECK(out.send_until(e, async::never) == status::ok);
      } else {
        status s = out.try_send(e);
        for (; s == status::full; s = out.try_send(e)) std::this_thread::yield();
        CHECK(s == status::ok);
      }
      if (n % (100 + me) == 0) CHECK(out.flush() == status::ok);
    }
  });
  l->spawn(receive(*r, uint64_t{senders} * events_each));
  l->run();
  CHECK(r->got == uint64_t{senders} * events_each);
}

/// Coroutines of loops wait for room to send; two coroutines of a loop share its batched sender.
void from_loops() {
  auto l = std::make_unique<async::loop>();
  auto r = std::make_unique<receiver>(*l);
  rig::together threads(senders, [&](unsigned me) {
    async::loop own;
    async::batched_sender<event> out(r->in);
    uint32_t next = 0;
    const auto send = [](async::batched_sender<event>& to, unsigned sender, uint32_t& number) -> task<> {
      while (number != events_each) {
        const event e = numbered(sender, number++);
        CHECK(co_await to.send(e) == status::ok);
      }
    };
    own.spawn(send(out, me, next));
    own.spawn(send(out, me, next));
    own.run();
    CHECK(out.unsent() == 0);
  });
  l->spawn(receive(*r, uint64_t{senders} * events_each));
  l->run();
  CHECK(r->got == uint64_t{senders} * events_each);
}

/// The receiver closes in the middle: flushed events arrive, the sender knows those that were not
/// flushed, and no coroutine waits for ever.
void closed_in_the_middle() {
  for (unsigned round = 0; round != 50; ++round) {
    auto l = std::make_unique<async::loop>();
    auto r = std::make_unique<receiver>(*l);
    std::atomic<uint64_t> delivered{0};
    {
      rig::together threads(4, [&](unsigned me) {
        async::batched_sender<event> out(r->in);
        uint64_t sent = 0;
        for (uint32_t n = 0;; ++n) {
          const status s = out.send_until(numbered(me, n), async::never);
          if (s != status::ok) {
            CHECK(s == status::closed);
            break;
          }
          ++sent;
        }
        delivered += sent - out.unsent();
      });
      l->spawn([](receiver& from, unsigned limit) -> task<> {
        while (from.got < limit) {
          CHECK(co_await from.in.wait() == status::ok);
          from.in.drain([&](const event& e) { from.handle(e); }, 64);
        }
        from.in.close();
        co_await async::yield();
        while (co_await from.in.wait() == status::ok) from.in.drain([&](const event& e) { from.handle(e); });
      }(*r, 100 + 77 * round));
      l->run();
    }
    CHECK(r->got == delivered);
  }
}

/// Senders that are more than the places, one after the other; and one that is destroyed before its
/// events are handled.
void places_are_used_again() {
  auto l = std::make_unique<async::loop>();
  auto r = std::make_unique<async::cross_thread_queue<event, 2, 2>>(*l);
  uint64_t got = 0;
  for (unsigned round = 0; round != 100; ++round) {
    std::thread([&] {
      async::batched_sender<event> a(*r), b(*r), c(*r);
      CHECK(a.is_connected() && b.is_connected() && !c.is_connected());
      for (uint32_t n = 0; n != 100; ++n) {
        CHECK(a.try_send(numbered(0, n)) == status::ok);
        CHECK(c.try_send(numbered(0, n)) == status::closed);
      }
    }).join();
    got += r->drain([](const event&) {});
  }
  CHECK(got == 10000);
}

}  // namespace

int main() {
  from_threads();
  from_loops();
  closed_in_the_middle();
  places_are_used_again();
  return rig::verdict();
}
