// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>
#include <stddef.h>

// Channels against a naive model. The model gives, for each operation, its status, the jobs that it
// wakes, and every value. A failure names its round.

using namespace baton;

namespace {

constexpr uint32_t rounds = test::is_small_target ? 4000 : 300000;

template <typename T, uint8_t Most>
struct naive_queue {
  void push(T value) { at[size++] = value; }
  T take(uint8_t i) {
    T value = at[i];
    for (--size; i < size; ++i) at[i] = at[i + 1];
    return value;
  }
  T at[Most] = {};
  uint8_t size = 0;
};

/// A job whose body does nothing: the test waits in its name.
struct actor : waiter {
  actor() : waiter(nullptr) {}
  bool is_idle() const { return !is_listed() && !next; }

  uint16_t value = 0;
  uint16_t expected = 0;
  uint8_t expected_end = 0;
};

template <uint16_t Capacity>
class channel_model {
 public:
  explicit channel_model(uint32_t seed) : chance_(seed) {
    domain::has_strays() = true;  // the actors wait before they have run
  }

  void run() {
    for (uint32_t n = 0; n < rounds; ++n) {
      actor& a = actors_[chance_.below(most)];
      switch (chance_.below(8)) {
        case 0:
        case 1:
          if (a.is_idle()) send(a);
          break;
        case 2:
        case 3:
          if (a.is_idle()) receive(a);
          break;
        case 4:
          try_send();
          break;
        case 5:
          try_receive();
          break;
        case 6:
          if (a.is_listed()) withdraw(a);
          break;
        default:
          if (chance_.one_in(50)) start_anew();
      }
      look_at_the_woken();
      CHECK_WITH(is_good_, n);
      if (!is_good_) return;
    }
  }

 private:
  static constexpr uint8_t most = 7;

  void expect(bool good) { is_good_ = is_good_ && good; }

  void send(actor& a) {
    a.value = ++last_value_;
    auto operation = pipe_->send(a.value);
    if (operation.try_now(a)) {
      expect(!is_closed_ && a.result() == status::ok);
      give(a.value);
      return;
    }
    operation.suspend(a);
    if (is_closed_) {
      expect(a.result() == status::closed);
      unready(a);
      return;
    }
    expect(receivers_.size == 0 && stored_.size == Capacity && a.is_listed());
    senders_.push(&a);
  }

  void receive(actor& a) {
    auto operation = pipe_->receive(a.value);
    if (operation.try_now(a)) {
      expect(a.value == get());
      return;
    }
    operation.suspend(a);
    if (is_closed_) {
      expect(stored_.size == 0 && a.result() == status::closed);
      unready(a);
      return;
    }
    expect(stored_.size == 0 && senders_.size == 0 && a.is_listed());
    receivers_.push(&a);
  }

  void try_send() {
    uint16_t value = ++last_value_;
    bool fits = receivers_.size || (stored_.size < Capacity && !is_closed_);
    expect(pipe_->try_send(value) == (fits ? status::ok : is_closed_ ? status::closed : status::full));
    if (fits) give(value);
  }

  void try_receive() {
    uint16_t value = 0;
    bool is_there = stored_.size || senders_.size;
    expect(pipe_->try_receive(value) == (is_there ? status::ok : is_closed_ ? status::closed : status::empty));
    if (is_there) expect(value == get());
  }

  void withdraw(actor& a) {
    expect(list_wait::withdraw(a));
    a.end(status::cancelled);
    naive_queue<actor*, most + 1>& queue = has(senders_, a) ? senders_ : receivers_;
    for (uint8_t i = 0; i < queue.size; ++i) {
      if (queue.at[i] == &a) queue.take(i);
    }
  }

  /// Closes the channel, checks it, and goes on with a new one.
  void start_anew() {
    pipe_->close();
    is_closed_ = true;
    while (senders_.size) ends_with(*senders_.take(0), status::closed);
    while (receivers_.size) ends_with(*receivers_.take(0), status::closed);
    look_at_the_woken();
    for (uint8_t i = 0; i < 20; ++i) {
      try_receive();
      try_send();
      send(actors_[i % most]);
      receive(actors_[i % most]);
    }
    is_closed_ = false;
    stored_.size = 0;
    pipe_ = pipe_ == &pipes_[0] ? &pipes_[1] : &pipes_[0];
    pipe_->~channel();
    new_in(pipe_);
  }

  struct maker : channel<uint16_t, Capacity> {
    static void* operator new(size_t, void* where) { return where; }
    static void operator delete(void*, void*) {}
  };
  static void new_in(channel<uint16_t, Capacity>* where) { new (static_cast<void*>(where)) maker; }

  // The model of the channel.

  void give(uint16_t value) {
    if (receivers_.size) {
      actor& to = *receivers_.take(0);
      to.expected = value;
      ends_with(to, status::ok);
    } else {
      stored_.push(value);
    }
  }

  uint16_t get() {
    if (!stored_.size && !senders_.size) {
      expect(false);
      return 0;
    }
    uint16_t value = stored_.size ? stored_.take(0) : senders_.at[0]->value;
    if (senders_.size) {
      actor& from = *senders_.take(0);
      if (Capacity) stored_.push(from.value);
      ends_with(from, status::ok);
    }
    return value;
  }

  void ends_with(actor& a, status how) {
    a.expected_end = static_cast<uint8_t>(how);
    woken_.push(&a);
  }

  /// Checks the ready queue: it holds the jobs that the model woke, in that order, with the ends
  /// and the values that the model gave them.
  void look_at_the_woken() {
    while (woken_.size) {
      actor& a = *woken_.take(0);
      expect(ready::is_head(&a) && static_cast<uint8_t>(a.result()) == a.expected_end);
      if (a.on == waiter::delivered) expect(a.value == a.expected);
      if (ready::is_head(&a)) unready(a);
    }
    expect(domain::tail() == nullptr);
  }

  static void unready(actor& a) { ready::remove(&a); }

  static bool has(const naive_queue<actor*, most + 1>& queue, const actor& a) {
    for (uint8_t i = 0; i < queue.size; ++i) {
      if (queue.at[i] == &a) return true;
    }
    return false;
  }

  test::random chance_;
  channel<uint16_t, Capacity> pipes_[2];
  channel<uint16_t, Capacity>* pipe_ = &pipes_[0];
  actor actors_[most];
  naive_queue<actor*, most + 1> senders_, receivers_, woken_;
  naive_queue<uint16_t, Capacity + 2> stored_;
  uint16_t last_value_ = 0;
  bool is_closed_ = false;
  bool is_good_ = true;
};

}  // namespace

#if !defined(__clang_analyzer__)  // the analyzer does not follow a value through a slot's void*

TEST_CASE("a rendezvous does what the model does") {
  channel_model<0>(1).run();
}

TEST_CASE("a channel of one slot does what the model does") {
  channel_model<1>(2).run();
}

TEST_CASE("a channel of four slots does what the model does") {
  channel_model<4>(3).run();
}

TEST_CASE("a channel of three slots does what the model does") {
  channel_model<3>(4).run();
}

#endif
