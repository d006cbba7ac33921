// SPDX-License-Identifier: MIT
#include <baton/core.hpp>
#include <baton/test/check.hpp>

// Channels of values that are not plain, and stores of any capacity.

using namespace baton;

namespace {

/// Can only be moved; what is moved from is 0.
struct only_moved {
  explicit only_moved(uint8_t v = 0) : value(v) {}
  only_moved(const only_moved&) = delete;
  only_moved(only_moved&& other) noexcept : value(other.value) { other.value = 0; }
  only_moved& operator=(const only_moved&) = delete;
  only_moved& operator=(only_moved&& other) noexcept {
    value = other.value;
    other.value = 0;
    return *this;
  }
  uint8_t value;
};

/// Has no default constructor, and counts those that live.
struct counted {
  explicit counted(uint8_t v) : value(v) { ++alive(); }
  counted(const counted& other) noexcept : value(other.value) { ++alive(); }
  counted& operator=(const counted& other) noexcept {
    value = other.value;
    return *this;
  }
  ~counted() { --alive(); }
  static uint8_t& alive() {
    static uint8_t count;
    return count;
  }
  uint8_t value;
};

/// Is copied as bytes, and has no default constructor.
struct number {
  explicit number(uint8_t v) : value(v) {}
  uint8_t value;
};

template <typename Channel, typename T>
struct taker : coroutine<taker<Channel, T>, waiting> {
  explicit taker(Channel& from) : source(from), value(0) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(source.receive(value));
      if (this->result() != status::ok) break;
      sum = static_cast<uint8_t>(sum * 2 + value.value);
    }
    BATON_END();
  }
  Channel& source;
  T value;
  uint8_t sum = 0;
};

struct mover : coroutine<mover, deadline> {
  explicit mover(channel<only_moved, 1>& to) : target(to), value(5) {}
  point step(point at) {
    BATON_BEGIN();
    BATON_WAIT_FOR(milliseconds(1), target.send(static_cast<only_moved&&>(value)));
    ended[0] = result();
    left = value.value;
    BATON_WAIT(target.send(static_cast<only_moved&&>(value)));
    ended[1] = result();
    BATON_END();
  }
  channel<only_moved, 1>& target;
  only_moved value;
  uint8_t left = 0;
  status ended[2] = {status::empty, status::empty};
};

template <uint16_t Capacity>
bool fills_and_wraps() {
  static spi::channel_store<uint8_t, Capacity> store;
  uint8_t in = 0, out = 0;
  bool good = store.is_empty() && !store.is_full();
  // Twice around the cursors, and a bit: with a store that is full in turn with one that is not.
  for (uint32_t round = 0; round != 5; ++round) {
    const uint16_t count = round % 2 ? Capacity : Capacity / 2 + 1;
    for (uint16_t i = 0; i != count; ++i) good = store.put(in++) && good;
    good = good && store.is_full() == (count == Capacity) && (count != Capacity || !store.put(in));
    uint8_t value = 0;
    for (uint16_t i = 0; i != count; ++i) good = store.take(value) && value == out++ && good;
    good = good && store.is_empty() && !store.take(value);
  }
  return good;
}

/// A capacity that a small target has no memory for becomes 9.
constexpr uint16_t large(uint16_t capacity) {
  return test::is_small_target ? 9 : capacity;
}

}  // namespace

TEST_CASE("a store of any capacity is full with that many values, and gives them in their order") {
  CHECK(fills_and_wraps<1>());
  CHECK(fills_and_wraps<2>());
  CHECK(fills_and_wraps<3>());
  CHECK(fills_and_wraps<5>());
  CHECK(fills_and_wraps<127>());
  CHECK(fills_and_wraps<128>());
  CHECK(fills_and_wraps<129>());
  CHECK(fills_and_wraps<200>());
  CHECK(fills_and_wraps<large(256)>());
  CHECK(fills_and_wraps<large(1000)>());
  CHECK(fills_and_wraps<large(1024)>());
  CHECK(fills_and_wraps<large(32767)>());
  CHECK(fills_and_wraps<large(32768)>());
  CHECK(fills_and_wraps<large(32769)>());
  CHECK(fills_and_wraps<large(65535)>());
}

TEST_CASE("a cursor is a byte up to 128 values, and two bytes up to 32,768") {
  CHECK_EQ(sizeof(spi::channel_store<uint8_t, 128>), 130u);
  CHECK_EQ(sizeof(spi::channel_store<uint8_t, 100>), 102u);
  CHECK_EQ(sizeof(spi::channel_store<uint16_t, 200>), 404u);
}

TEST_CASE("a value that can only be moved is moved when it is handed over, and not before") {
  channel<only_moved, 1> pipe;
  only_moved first(1);
  CHECK_EQ(pipe.try_send(static_cast<only_moved&&>(first)), status::ok);
  CHECK_EQ(first.value, 0);
  first.value = 2;
  CHECK_EQ(pipe.try_send(static_cast<only_moved&&>(first)), status::full);
  CHECK_EQ(first.value, 2);
  mover m(pipe);
  m.start();
  scheduler::run();
  CHECK_EQ(m.ended[0], status::timed_out);
  CHECK_EQ(m.left, 5);
  only_moved got;
  CHECK_EQ(pipe.try_receive(got), status::ok);
  CHECK_EQ(got.value, 1);
  scheduler::run();
  CHECK_EQ(m.ended[1], status::ok);
  CHECK_EQ(m.value.value, 0);
  CHECK_EQ(pipe.try_receive(got), status::ok);
  CHECK_EQ(got.value, 5);
  CHECK_EQ(pipe.try_receive(got), status::empty);
}

TEST_CASE("a value that can only be moved goes straight to a receiver that waits") {
  channel<only_moved> pipe;
  taker<channel<only_moved>, only_moved> t(pipe);
  t.start();
  scheduler::run();
  only_moved value(3);
  CHECK_EQ(pipe.try_send(static_cast<only_moved&&>(value)), status::ok);
  CHECK_EQ(value.value, 0);
  scheduler::run();
  CHECK_EQ(t.sum, 3);
  pipe.close();
  scheduler::run();
}

TEST_CASE("a slot holds a value from its sending until it is received, or until the channel is destroyed") {
  counted::alive() = 0;
  {
    channel<counted, 3> pipe;
    CHECK_EQ(counted::alive(), 0);
    for (uint8_t i = 1; i != 4; ++i) CHECK_EQ(pipe.try_send(counted(i)), status::ok);
    CHECK_EQ(pipe.try_send(counted(4)), status::full);
    CHECK_EQ(counted::alive(), 3);
    {
      taker<channel<counted, 3>, counted> t(pipe);
      t.start();
      scheduler::run();
      CHECK_EQ(t.sum, 1 * 4 + 2 * 2 + 3);
      CHECK_EQ(counted::alive(), 1);
      CHECK_EQ(pipe.try_send(counted(7)), status::ok);
      scheduler::run();
      CHECK_EQ(t.sum, static_cast<uint8_t>(11 * 2 + 7));
    }
    for (uint8_t i = 1; i != 3; ++i) CHECK_EQ(pipe.try_send(counted(i)), status::ok);
    CHECK_EQ(counted::alive(), 2);
  }
  CHECK_EQ(counted::alive(), 0);
}

TEST_CASE("a value that is copied as bytes needs no default constructor") {
  channel<number, 4> four;
  channel<number, 5> five;
  for (uint8_t i = 1; i != 5; ++i) {
    CHECK_EQ(four.try_send(number(i)), status::ok);
    CHECK_EQ(five.try_send(number(i)), status::ok);
  }
  CHECK_EQ(four.try_send(number(9)), status::full);
  taker<channel<number, 4>, number> t(four);
  t.start();
  scheduler::run();
  CHECK_EQ(t.sum, ((1 * 2 + 2) * 2 + 3) * 2 + 4);
  number got(0);
  CHECK_EQ(five.try_receive(got), status::ok);
  CHECK_EQ(got.value, 1);
}
