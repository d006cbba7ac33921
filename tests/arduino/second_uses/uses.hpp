// SPDX-License-Identifier: MIT
//
// A program that takes one use more of core for each value of USES. second_uses.toml names them.
#include <Baton.h>
#if USES >= 1
using namespace baton;
volatile uint8_t sink;
struct y1 : coroutine<y1> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      sink = 1;
      BATON_YIELD();
      sink = 2;
      BATON_YIELD();
    }
    BATON_END();
  }
};
y1 a1;
#endif
#if USES >= 2
struct y2 : coroutine<y2> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      sink = 3;
      BATON_YIELD();
      sink = 4;
      BATON_YIELD();
    }
    BATON_END();
  }
};
y2 a2;
#endif
#if USES >= 3
struct t1 : coroutine<t1, timed> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      sink = 5;
      BATON_DELAY_MS(5);
#if USES >= 5
      sink = 6;
      BATON_DELAY_MS(6);
#endif
    }
    BATON_END();
  }
};
t1 b1;
#endif
#if USES >= 4
struct t2 : coroutine<t2, timed> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      sink = 7;
      BATON_DELAY_MS(7);
    }
    BATON_END();
  }
};
t2 b2;
#endif
#if USES >= 6
channel<uint8_t, 4> c1;
struct s1 : coroutine<s1, waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      v = sink;
      BATON_WAIT(c1.send(v));
#if USES >= 8
      v = sink;
      BATON_WAIT(c1.send(v));
#endif
    }
    BATON_END();
  }
  uint8_t v = 0;
};
s1 d1;
#endif
#if USES >= 7
struct r1 : coroutine<r1, waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(c1.receive(v));
      sink = v;
#if USES >= 9
      BATON_WAIT(c1.receive(v));
      sink = v;
#endif
    }
    BATON_END();
  }
  uint8_t v = 0;
};
r1 e1;
#endif
#if USES >= 10
channel<uint16_t, 2> c2;
struct s2 : coroutine<s2, waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      v = sink;
      BATON_WAIT(c2.send(v));
    }
    BATON_END();
  }
  uint16_t v = 0;
};
s2 d2;
struct r2 : coroutine<r2, waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(c2.receive(v));
      sink = v;
    }
    BATON_END();
  }
  uint16_t v = 0;
};
r2 e2;
#endif
#if USES >= 11
isr_signal g1;
ISR(ADC_vect) {
  g1.set();
}
struct i1 : coroutine<i1, waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(g1.wait());
      sink = 8;
    }
    BATON_END();
  }
};
i1 h1;
#endif
#if USES >= 12
isr_signal g2;
ISR(TIMER1_OVF_vect) {
  g2.set();
}
struct i2 : coroutine<i2, waiting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(g2.wait());
      sink = 9;
    }
    BATON_END();
  }
};
i2 h2;
#endif
#if USES >= 13
struct w1 : coroutine<w1, deadline> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT_FOR(milliseconds(9), c1.receive(v));
      sink = v;
#if USES >= 14
      BATON_WAIT_FOR(milliseconds(8), c1.receive(v));
      sink = v;
#endif
#if USES >= 15
      BATON_WAIT_FOR(milliseconds(8), g1.wait());
      sink = v;
#endif
#if USES >= 18
      BATON_WAIT_FOR(milliseconds(7), c1.receive(v));
      sink = v;
#endif
    }
    BATON_END();
  }
  uint8_t v = 0;
};
w1 k1;
#endif
#if USES >= 16
struct p1 : coroutine<p1, periodic<>> {
  point step(point at) {
    BATON_BEGIN();
    BATON_PERIOD_START();
    for (;;) {
      BATON_PERIOD_MS(100, catch_up::skip);
      sink = 10;
    }
    BATON_END();
  }
};
p1 l1;
#endif
#if USES >= 17
struct p2 : coroutine<p2, periodic<>> {
  point step(point at) {
    BATON_BEGIN();
    BATON_PERIOD_START();
    for (;;) {
      BATON_PERIOD_MS(50, catch_up::skip);
      sink = 11;
    }
    BATON_END();
  }
};
p2 l2;
#endif
void setup() {
#if USES >= 1
  a1.start();
#endif
#if USES >= 2
  a2.start();
#endif
#if USES >= 3
  b1.start();
#endif
#if USES >= 4
  b2.start();
#endif
#if USES >= 6
  d1.start();
#endif
#if USES >= 7
  e1.start();
#endif
#if USES >= 10
  d2.start();
  e2.start();
#endif
#if USES >= 11
  h1.start();
#endif
#if USES >= 12
  h2.start();
#endif
#if USES >= 13
  k1.start();
#endif
#if USES >= 16
  l1.start();
#endif
#if USES >= 17
  l2.start();
#endif
}
void loop() {
#if USES >= 1
  scheduler::run();
#endif
}
