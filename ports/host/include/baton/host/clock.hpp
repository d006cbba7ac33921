// SPDX-License-Identifier: MIT
#pragma once

#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace baton {
namespace host {

/// What a domain, a thread, has of the operating system.
struct thread_state {
  int attention;  // the futex word: 1 is raised
  bool alarm_set;
  bool has_timer;
  uint64_t alarm;
  timer_t timer;
};

template <typename Tag>
struct states {
  static __thread thread_state instance;
};
template <typename Tag>
__thread thread_state states<Tag>::instance;

inline thread_state& state() {
  return states<void>::instance;
}

inline int* attention_word() {
  return &state().attention;
}

inline uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000u + static_cast<uint64_t>(t.tv_nsec);
}

__attribute__((noreturn)) inline void halt(uint16_t id) {
  fprintf(stderr, "baton: requirement %u does not hold; ./baton explain %u\n", id, id);
  abort();
}

/// Sets another domain's attention and wakes it if it sleeps. A system call only when the flag was down.
inline void raise_and_wake(int* word) {
  if (__atomic_exchange_n(word, 1, __ATOMIC_SEQ_CST) == 0) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
}

inline void on_alarm(int, siginfo_t* info, void*) {
  __atomic_store_n(static_cast<int*>(info->si_value.sival_ptr), 1, __ATOMIC_SEQ_CST);
}

/// The thread's own timer; its signal goes to this thread.
inline void make_timer(thread_state& s) {
  struct sigaction action = {};
  action.sa_sigaction = on_alarm;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGRTMIN + 5, &action, nullptr);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGRTMIN + 5;
  event.sigev_value.sival_ptr = &s.attention;
#ifndef sigev_notify_thread_id
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
#else
  event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
#endif
  if (timer_create(CLOCK_MONOTONIC, &event, &s.timer) != 0) {
    perror("baton: timer_create (raise the limit of pending signals, ulimit -i)");
    abort();
  }
  s.has_timer = true;
}

inline timespec to_timespec(uint64_t ns) {
  timespec t;
  t.tv_sec = static_cast<time_t>(ns / 1000000000u);
  t.tv_nsec = static_cast<long>(ns % 1000000000u);
  return t;
}

/// Raises attention at `due` (absolute); replaces the alarm before it.
inline void set_alarm(uint64_t due) {
  thread_state& s = state();
  s.alarm = due;
  s.alarm_set = true;
  if (!s.has_timer) make_timer(s);
  itimerspec when = {};
  when.it_value = to_timespec(due ? due : 1);
  timer_settime(s.timer, TIMER_ABSTIME, &when, nullptr);
}

/// Sleeps until attention is raised or the alarm is due. The kernel compares the flag and sleeps in one step, so no wake is lost.
inline bool sleep() {
  thread_state& s = state();
  timespec until = to_timespec(s.alarm);
  syscall(SYS_futex, &s.attention, FUTEX_WAIT_BITSET_PRIVATE, 0, s.alarm_set ? &until : nullptr, nullptr,
          FUTEX_BITSET_MATCH_ANY);
  if (s.alarm_set && now() >= s.alarm) {
    s.alarm_set = false;
    __atomic_store_n(&s.attention, 1, __ATOMIC_SEQ_CST);
  }
  return true;
}

}  // namespace host
}  // namespace baton
