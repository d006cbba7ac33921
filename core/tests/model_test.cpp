// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>

// Data structures against naive models, with random operations past every wrap. A failure names its
// round.

using namespace baton;

namespace {

constexpr uint32_t rounds = test::is_small_target ? 3000 : 300000;

/// A first-in-first-out list that is too simple to be wrong.
template <typename T, uint16_t Most>
struct naive_queue {
  void push(T value) { at[size++] = value; }
  T take(uint16_t i) {
    T value = at[i];
    for (--size; i < size; ++i) at[i] = at[i + 1];
    return value;
  }
  uint16_t find(T value) const {
    uint16_t i = 0;
    while (i < size && !(at[i] == value)) ++i;
    return i;
  }

  T at[Most] = {};
  uint16_t size = 0;
};

template <uint8_t Slots>
void check_ring(uint32_t seed) {
  test::random chance(seed);
  ring<uint16_t, Slots> r;
  naive_queue<uint16_t, Slots + 1> model;
  uint16_t next = 0;
  for (uint32_t n = 0; n < rounds; ++n) {
    if (chance.below(100) < (n / 64 % 2 ? 60 : 40)) {  // fuller and emptier in turn
      status s = r.push(next);
      CHECK_WITH(s == (model.size == Slots ? status::full : status::ok), n);
      if (s == status::ok) model.push(next);
      ++next;
    } else {
      uint16_t before = 0xbeef;
      uint16_t got = before;
      status s = r.pop(got);
      CHECK_WITH(s == (model.size ? status::ok : status::empty), n);
      uint16_t expected = model.size ? model.take(0) : before;
      CHECK_WITH(got == expected, n);
    }
    CHECK_WITH(r.depth() == model.size, n);
  }
}

struct mute : waiter {
  mute() : waiter(nullptr) {}
};

struct alarm_clock : due_part, job {
  alarm_clock() : due_part(), job(nullptr) {}
};

}  // namespace

TEST_CASE("a ring is a first-in-first-out queue, full and empty, past every wrap of its cursors") {
  check_ring<1>(1);
  check_ring<2>(2);
  check_ring<8>(3);
  check_ring<128>(4);
}

TEST_CASE("a wait list keeps its order whoever is taken out") {
  constexpr uint8_t most = 9;
  test::random chance(5);
  mute waiters[most];
  naive_queue<uint8_t, most + 1> model;
  wait_list list;
  uint8_t kind = wait_list::receivers;
  for (uint32_t n = 0; n < rounds; ++n) {
    uint8_t i = static_cast<uint8_t>(chance.below(most));
    uint16_t place = model.find(i);
    if (place < model.size) {
      if (chance.one_in(2)) {
        list.remove(&waiters[i]);
        model.take(place);
      } else {
        CHECK_WITH(list.take(kind == wait_list::receivers ? wait_list::senders : wait_list::receivers) == nullptr, n);
        CHECK_WITH(list.take(kind) == &waiters[model.take(0)], n);
      }
    } else {
      if (!model.size) kind = chance.one_in(2) ? wait_list::receivers : wait_list::senders;
      list.push(&waiters[i], kind);
      model.push(i);
    }
    CHECK_WITH((list.kind == wait_list::nobody) == (model.size == 0), n);
    uint16_t seen = 0;
    const job* j = list.tail;
    bool same = true;
    for (; seen < model.size; ++seen) {
      j = j->next;
      same = same && j == &waiters[model.at[seen]];
    }
    CHECK_WITH(same && (!seen || j == list.tail), n);
  }
}

TEST_CASE("the ready queue keeps its order whoever is taken out") {
  constexpr uint8_t most = 9;
  test::random chance(6);
  mute jobs[most];
  naive_queue<uint8_t, most + 1> model;
  for (uint32_t n = 0; n < rounds; ++n) {
    uint8_t i = static_cast<uint8_t>(chance.below(most));
    uint16_t place = model.find(i);
    if (place == model.size) {
      if (chance.one_in(4) && model.size) {
        ready::push_next(&jobs[i]);  // behind the head
        for (uint16_t k = model.size; k > 1; --k) model.at[k] = model.at[k - 1];
        model.at[1] = i;
        ++model.size;
      } else {
        ready::push(&jobs[i]);
        model.push(i);
      }
    } else if (chance.one_in(3)) {
      CHECK_WITH(ready::remove(&jobs[i]), n);
      CHECK_WITH(!ready::remove(&jobs[i]), n);
      model.take(place);
    } else if (ready::is_head(&jobs[i])) {
      CHECK_WITH(place == 0, n);
      ready::leave(&jobs[i]);
      jobs[i].next = nullptr;
      model.take(0);
    }
    const job* j = domain::tail();
    CHECK_WITH((j == nullptr) == (model.size == 0), n);
    bool same = true;
    for (uint16_t k = 0; k < model.size; ++k) {
      j = j->next;
      same = same && j == &jobs[model.at[k]];
    }
    CHECK_WITH(same && j == domain::tail(), n);
  }
}

TEST_CASE(
    "timers expire in the order of their due times, and of arming where these are equal, past wraps of the clock") {
  constexpr uint8_t most = 9;
  test::random chance(7);
  alarm_clock clocks[most];
  naive_queue<uint8_t, most + 1> model;  // in the order of arming
  sim::clock& c = sim::clock::get();
  c.now = static_cast<tick>(0) - 2000;
  for (uint32_t n = 0; n < rounds; ++n) {
    uint8_t i = static_cast<uint8_t>(chance.below(most));
    uint16_t place = model.find(i);
    if (place == model.size) {
      timers::arm(&clocks[i], c.now + chance.below(20));
      model.push(i);
    } else if (chance.one_in(4)) {
      CHECK_WITH(timers::contains(&clocks[i]), n);
      CHECK_WITH(timers::remove(&clocks[i]), n);
      model.take(place);
    }
    if (chance.one_in(3)) sim::advance(chance.below(6));
    if (n % 1024 == 0) {  // advances to directly before the next wrap
      timers::expire();
      while (job* j = domain::tail()) ready::remove(j->next);
      for (alarm_clock& a : clocks) timers::remove(&a);
      model.size = 0;
      c.now = static_cast<tick>(0) - 2000;
      c.alarm_set = false;
    }
    timers::expire();
    for (;;) {  // the model: the earliest due time, and the first armed of equal ones
      uint16_t earliest = model.size;
      for (uint16_t k = 0; k < model.size; ++k) {
        tick due = clocks[model.at[k]].due;
        if (!is_due(due, c.now)) continue;
        if (earliest == model.size || static_cast<tick_difference>(due - clocks[model.at[earliest]].due) < 0)
          earliest = k;
      }
      if (earliest == model.size) break;
      uint8_t expected = model.take(earliest);
      job* j = domain::tail() ? domain::tail()->next : nullptr;
      CHECK_WITH(j == static_cast<job*>(&clocks[expected]), n);
      if (!j) break;
      ready::remove(j);
    }
    CHECK_WITH(domain::tail() == nullptr, n);
  }
}
