// SPDX-License-Identifier: MIT
//
// Tasks that check all that they have and get. One that finds something wrong ends, which the
// supervisor sees.
#include "program.hpp"

namespace hostile {

namespace {

constexpr uint8_t ball_words = 8;

struct ball {
  uint32_t content[ball_words];

  void fill(uint32_t n) {
    for (uint8_t i = 0; i < ball_words; ++i) content[i] = n * 0x85ebca6bu + i;
  }
  bool is(uint32_t n) const {
    for (uint8_t i = 0; i < ball_words; ++i) {
      if (content[i] != n * 0x85ebca6bu + i) return false;
    }
    return true;
  }
};

}  // namespace

/// Sends a ball and gets it back with other contents. The argument is pong's id: an ordinary
/// variable would be the hostile task's, too.
void ping(void* partner) {
  const kernel::tid pong_id = reinterpret_cast<kernel::tid>(partner);
  diary& d = diary_of(ping_stack);
  d.entries = 0;
  for (uint32_t n = 1; d.go_on(); n += 2) {
    ball sent, back;
    sent.fill(n);
    if (kernel::send(pong_id, &sent, sizeof sent, &back, sizeof back).length() != sizeof back) return;
    if (!back.is(n + 1) || !sent.is(n)) return;
    if (kernel::sleep(baton::microseconds(700)).why() != kernel::error::none) return;
  }
}

/// Answers anyone, and its partner's ball with the next one. If that is not as it was sent, ping
/// gets no good answer.
void pong(void*) {
  diary& d = diary_of(pong_stack);
  d.entries = 0;
  uint32_t next = 1;
  ball b;
  kernel::received m = kernel::receive(&b, sizeof b);
  while (d.go_on() && m) {
    if (m.length() == sizeof b && b.is(next)) {
      b.fill(next + 1);
      next += 2;
    }
    m = kernel::reply_receive(m.client, &b, sizeof b, &b, sizeof b);
    if (m.result.why() == kernel::error::no_right) m = kernel::receive(&b, sizeof b);  // its client has ended
  }
}

/// Sleeps, and looks whether the clock and the sleep agree.
void keep_time(void*) {
  diary& d = diary_of(timer_stack);
  d.entries = 0;
  while (d.go_on()) {
    const baton::tick before = kernel::now();
    if (kernel::sleep(baton::microseconds(900)).why() != kernel::error::none) return;
    const baton::tick slept = kernel::now() - before;
    if (slept < baton::microseconds(900).ticks() || slept > baton::milliseconds(20).ticks()) return;
  }
}

}  // namespace hostile
