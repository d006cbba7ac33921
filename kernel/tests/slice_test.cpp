// SPDX-License-Identifier: MIT
#include <program.hpp>

// The optional time slice: tasks of equal priority take turns, even if none waits.

using namespace baton;
using test::ms;
using test::program;

TEST_CASE("without a slice a task runs until it waits") {
  program p;
  for (const char* name : {"a", "b"}) {
    p.task(name, 2, [&] {
      for (uint8_t i = 0; i < 2; ++i) {
        p.work(30);
        kernel::now();  // Linux preempts at a call
      }
    });
  }
  p.run();
  CHECK_LOG(p, "a works", "at 30 ms", "a works", "at 60 ms", "a ends", "b works", "at 90 ms", "b works", "at 120 ms",
            "b ends");
}

TEST_CASE("with a slice those who are as urgent take turns") {
  program p;
  baton::kernel::time_slices turns(p.system, ms(10));
  for (const char* name : {"a", "b"}) {
    p.task(name, 2, [&] {
      for (uint8_t i = 0; i < 3; ++i) {
        p.work(10);
        kernel::now();
      }
    });
  }
  p.run();
  CHECK_LOG(p, "a works", "at 10 ms", "b works", "at 20 ms", "a works", "at 30 ms", "b works", "at 40 ms", "a works",
            "at 50 ms", "b works", "at 60 ms", "a ends", "b ends");
}

TEST_CASE("a slice does not give way to the less urgent") {
  program p;
  baton::kernel::time_slices turns(p.system, ms(10));
  p.task("urgent", 3, [&] {
    for (uint8_t i = 0; i < 3; ++i) {
      p.work(10);
      kernel::now();
    }
  });
  p.task("other", 2, [&] { p.mark("runs"); });
  p.run();
  CHECK_LOG(p, "urgent works", "at 10 ms", "urgent works", "at 20 ms", "urgent works", "at 30 ms", "urgent ends",
            "other runs", "other ends");
}

TEST_CASE("a task that begins to wait for longer does not make the slice of the others longer") {
  program p;
  baton::kernel::time_slices turns(p.system, ms(10));
  p.task("sleeper", 2, [&] {
    p.work(5);
    p.sleep(ms(500));
  });
  for (const char* name : {"a", "b"}) {
    p.task(name, 2, [&] {
      for (uint8_t i = 0; i < 6; ++i) {
        p.work(5);
        kernel::now();
      }
    });
  }
  p.run();
  CHECK_LOG(p, "sleeper works", "at 5 ms", "sleeper sleeps", "a works", "at 10 ms", "a works", "at 15 ms", "b works",
            "at 20 ms", "b works", "at 25 ms", "a works", "at 30 ms", "a works", "at 35 ms", "b works", "at 40 ms",
            "b works", "at 45 ms", "a works", "at 50 ms", "a works", "at 55 ms", "b works", "at 60 ms", "b works",
            "at 65 ms", "a ends", "b ends", "at 505 ms", "sleeper wakes", "sleeper ends");
}

TEST_CASE("those who share a priority take turns, though somebody more urgent interrupts them more often") {
  program p;
  baton::kernel::time_slices turns(p.system, ms(10));
  p.task("striker", 3, [&] {
    for (uint8_t i = 0; i < 12; ++i) kernel::sleep(ms(7));
  });
  for (const char* name : {"a", "b"}) {
    p.task(name, 2, [&] {
      for (uint8_t i = 0; i < 8; ++i) {
        p.work(5);
        kernel::now();
      }
    });
  }
  p.run();
  CHECK_LOG(p, "a works", "at 5 ms", "a works", "at 10 ms", "b works", "at 15 ms", "b works", "at 20 ms", "a works",
            "at 25 ms", "a works", "at 30 ms", "b works", "at 35 ms", "b works", "at 40 ms", "a works", "at 45 ms",
            "a works", "at 50 ms", "b works", "at 55 ms", "b works", "at 60 ms", "a works", "at 65 ms", "a works",
            "at 70 ms", "b works", "at 75 ms", "b works", "at 80 ms", "a ends", "b ends", "at 84 ms", "striker ends");
}
