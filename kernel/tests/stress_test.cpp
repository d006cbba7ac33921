// SPDX-License-Identifier: MIT
#include <baton/test/random.hpp>
#include <program.hpp>
#include <vector>

// A stress test of sends, timeouts and kills with real stacks. Each send ends exactly once, its
// result says truly what became of its message, and no message is received twice.

using namespace baton;
using kernel::error;
using kernel::tid;

namespace {

constexpr uint8_t slots = 12;
constexpr uint8_t servers = 4;
constexpr uint32_t steps = 6000;

struct stress;

/// A task's stack, its random numbers, and its current call.
struct actor {
  stress* all;
  uint8_t number;
  tid id;
  tid before;       // the task that had its slot before
  bool is_calling;  // between the beginning and the end of a send
  uint32_t message;
  kernel::stack<16384> stack;
};

/// The known facts about a message, by its number.
struct fate {
  uint8_t ends;
  uint8_t received;
  uint8_t offered;   // replies that were begun
  uint8_t accepted;  // replies that ended with ok for the server
  error end;
};

struct stress {
  explicit stress(uint32_t seed) : chance(seed) {
    for (uint8_t i = 0; i < slots; ++i) {
      actors[i].all = this;
      actors[i].number = i;
      actors[i].id = actors[i].before = kernel::no_task;
      actors[i].is_calling = false;
    }
  }

  kernel::system<slots + 1> system;
  actor actors[slots];
  std::vector<fate> fates{1};
  test::random chance;
  std::vector<uint32_t> in_flight;  // messages whose senders were killed before their sends ended
  bool is_over = false;
  uint32_t kills = 0;
  uint32_t first_bad = 0;

  /// The id of a server, sometimes of one that has ended.
  tid some_server() {
    const actor& a = actors[chance.below(servers)];
    return chance.one_in(20) ? a.before : a.id;
  }
  time_limit some_timeout() { return chance.one_in(2) ? time_limit(forever) : ticks(1 + chance.below(300)); }

  /// Sends a message with a number of its own, and records the end of the send.
  void send(actor& a, tid to) {
    const uint32_t message = static_cast<uint32_t>(fates.size());
    fates.push_back(fate());
    a.message = message;
    a.is_calling = true;
    uint32_t reply = 0;
    const kernel::ipc_result o = kernel::send(to, &message, sizeof message, &reply, sizeof reply, some_timeout());
    a.is_calling = false;
    fate& f = fates[message];
    ++f.ends;
    f.end = o.why();
    if (o && reply != message) note(message);
  }

  void note(uint32_t message) {
    if (first_bad == 0) first_bad = message;
  }

  /// Receives with a timeout, and then replies, asks another server first, or never replies.
  void serve(actor& a) {
    uint32_t message = 0;
    const kernel::received r = kernel::receive(&message, sizeof message, ticks(1 + chance.below(400)));
    if (!r) return;
    if (r.length() != sizeof message || message >= fates.size() || ++fates[message].received != 1) note(message);
    if (chance.one_in(4)) send(a, some_server());
    if (chance.one_in(4)) kernel::sleep(ticks(1 + chance.below(200)));
    if (chance.one_in(10)) return;
    ++fates[message].offered;
    if (kernel::reply(r.client, &message, sizeof message)) ++fates[message].accepted;
  }

  static void run_server(void* p) {
    actor& a = *static_cast<actor*>(p);
    for (;;) a.all->serve(a);
  }

  static void run_client(void* p) {
    actor& a = *static_cast<actor*>(p);
    while (!a.all->is_over) {
      a.all->send(a, a.all->some_server());
      if (a.all->chance.one_in(3)) kernel::sleep(ticks(1 + a.all->chance.below(100)));
    }
  }

  void end(actor& victim) {
    if (victim.is_calling) in_flight.push_back(victim.message);
    victim.is_calling = false;
    if (kernel::kill(victim.id)) ++kills;
  }

  /// Kills one task, and makes those that are missing.
  void strike() {
    end(actors[chance.below(slots)]);
    for (actor& a : actors) {
      if (system.find(a.id)) continue;
      const kernel::priority priority = static_cast<kernel::priority>(1 + chance.below(3));
      a.before = a.id;
      a.id = kernel::create(kernel::describe_privileged(priority, a.number < servers ? run_server : run_client, a.stack,
                                                        a.number < servers ? "server" : "client", &a))
                 .id;
    }
  }

  static void run_reaper(void* p) {
    stress& s = *static_cast<stress*>(p);
    s.strike();
    for (uint32_t i = 0; i < steps; ++i) {
      kernel::sleep(ticks(1 + s.chance.below(50)));
      if (s.chance.one_in(4)) s.strike();
    }
    s.is_over = true;
    for (uint8_t i = 0; i < servers; ++i) s.end(s.actors[i]);
  }

  /// True if the result of a send agrees with the fate of its message.
  bool is_true(uint32_t message) const {
    const fate& f = fates[message];
    const bool was_killed = std::find(in_flight.begin(), in_flight.end(), message) != in_flight.end();
    if (f.received > 1 || f.accepted > 1 || f.offered > 1 || f.ends != (was_killed ? 0 : 1)) return false;
    if (was_killed) return true;
    switch (f.end) {
      case error::none:
        return f.received == 1 && f.offered == 1;
      case error::timed_out:
      case error::peer_gone:
        return f.accepted == 0;
      case error::bad_task:
      case error::deadlock:
        return f.received == 0;
      default:
        return false;
    }
  }
};

}  // namespace

TEST_CASE("in a stress test of kills, timeouts and deadlocks each send ends once, and as it says") {
  uint32_t ends[kernel::errors] = {};
  uint32_t kills = 0;
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    sim::clock::get().now = 0;
    std::unique_ptr<stress> s(new stress(seed));
    static kernel::stack<16384> reaper_stack;
    s->system.create(kernel::describe_privileged(7, stress::run_reaper, reaper_stack, "reaper", s.get()));
    s->system.run();
    CHECK_WITH(s->first_bad == 0, seed);
    for (uint32_t message = 1; message < s->fates.size(); ++message) {
      if (!s->is_true(message)) CHECK_WITH(s->is_true(message), message);
      ++ends[static_cast<uint8_t>(s->fates[message].end)];
    }
    // All servers have gone, so no task may wait for one.
    for (const actor& a : s->actors) CHECK_WITH(s->system.find(a.id) == nullptr, a.number);
    kills += s->kills;
  }
  CHECK(kills > 1000);
  for (error e : {error::none, error::timed_out, error::peer_gone, error::bad_task, error::deadlock}) {
    CHECK_WITH(ends[static_cast<uint8_t>(e)] > 100, static_cast<uint8_t>(e));
  }
}
