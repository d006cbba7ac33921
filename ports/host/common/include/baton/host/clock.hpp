// SPDX-License-Identifier: MIT
#pragma once

#include <baton/host/code_place.hpp>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace baton {
namespace host {

/// A timer that raises attention when it is due. Core has one, and a kernel has another.
struct alarm_timer {
  bool is_set;
  bool has_timer;
  uint64_t due;
  timer_t timer;
};
enum whose_alarm : uint8_t { cores_alarm, kernels_alarm };

/// The objects of the operating system that a domain, which is a thread, has.
struct thread_state {
  int attention;  // the futex word: 1 is raised
  alarm_timer alarms[2];
  void (*wake)(void*);  // wakes a thread that does not sleep in the futex; null: the futex wakes it
  void* wakes;
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

/// Prints which coroutine a stop has destroyed: the place of its code, for addr2line, and the line
/// of its wait, if that is noted.
inline void print_destroyed_coroutine(const void* code, const char* file, uint32_t line) {
  fprintf(stderr, "baton: destroyed a coroutine that did not end after its stop: code at ");
  print_code_place(stderr, code);
  if (file) fprintf(stderr, ", waits at %s:%u", file, static_cast<unsigned>(line));
  fputc('\n', stderr);
}

/// Raises another domain's attention and wakes it if it sleeps. Makes a system call only if the
/// flag was down.
inline void raise_and_wake(int* word) {
  if (__atomic_exchange_n(word, 1, __ATOMIC_SEQ_CST) != 0) return;
  thread_state* s = reinterpret_cast<thread_state*>(word);  // its first member
  if (void (*wake)(void*) = __atomic_load_n(&s->wake, __ATOMIC_ACQUIRE)) {
    wake(s->wakes);
  } else {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  }
}

/// Lets attention that is raised from outside call `wake`, in place of the futex. Null restores the
/// futex.
inline void call_on_attention(void (*wake)(void*), void* argument) {
  if (argument) state().wakes = argument;
  __atomic_store_n(&state().wake, wake, __ATOMIC_RELEASE);
}

inline void on_alarm(int, siginfo_t* info, void*) {
  __atomic_store_n(static_cast<int*>(info->si_value.sival_ptr), 1, __ATOMIC_SEQ_CST);
}

/// Runs when a thread ends: a timer belongs to the process, and would outlive the thread.
inline void delete_timers(void* of) {
  for (alarm_timer& a : static_cast<thread_state*>(of)->alarms) {
    if (a.has_timer) timer_delete(a.timer);
    a.has_timer = a.is_set = false;
  }
}

/// Lets each thread that made a timer delete it at its end.
template <typename Tag>
struct thread_ends {
  static void watch(thread_state& s) {
    pthread_once(&once, [] { pthread_key_create(&key, &delete_timers); });
    pthread_setspecific(key, &s);
  }
  static pthread_once_t once;
  static pthread_key_t key;
};
template <typename Tag>
pthread_once_t thread_ends<Tag>::once = PTHREAD_ONCE_INIT;
template <typename Tag>
pthread_key_t thread_ends<Tag>::key;

/// Makes the thread's own timer. Its signal goes to this thread, on its signal stack if it has one.
inline void make_timer(thread_state& s, alarm_timer& a) {
  struct sigaction action = {};
  action.sa_sigaction = on_alarm;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
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
  if (timer_create(CLOCK_MONOTONIC, &event, &a.timer) != 0) {
    perror("baton: timer_create (raise the limit of pending signals, ulimit -i)");
    abort();
  }
  a.has_timer = true;
  thread_ends<void>::watch(s);
}

inline timespec to_timespec(uint64_t ns) {
  timespec t;
  t.tv_sec = static_cast<time_t>(ns / 1000000000u);
  t.tv_nsec = static_cast<long>(ns % 1000000000u);
  return t;
}

/// Raises attention at `due` (absolute); replaces the earlier alarm of the same owner.
inline void set_alarm(uint64_t due, whose_alarm whose = cores_alarm) {
  thread_state& s = state();
  alarm_timer& a = s.alarms[whose];
  a.due = due;
  a.is_set = true;
  if (!a.has_timer) make_timer(s, a);
  itimerspec when = {};
  when.it_value = to_timespec(due ? due : 1);
  timer_settime(a.timer, TIMER_ABSTIME, &when, nullptr);
}

/// Returns the alarm that is due first, or null if none is set.
inline alarm_timer* first_alarm(thread_state& s) {
  alarm_timer& own = s.alarms[cores_alarm];
  alarm_timer& other = s.alarms[kernels_alarm];
  if (own.is_set && other.is_set) return own.due < other.due ? &own : &other;
  return own.is_set ? &own : other.is_set ? &other : nullptr;
}

/// Sleeps until attention is raised or an alarm is due. The operating system compares the flag and
/// sleeps in one step, so no wake is lost.
inline bool sleep() {
  thread_state& s = state();
  alarm_timer* first = first_alarm(s);
  timespec until = to_timespec(first ? first->due : 0);
  syscall(SYS_futex, &s.attention, FUTEX_WAIT_BITSET_PRIVATE, 0, first ? &until : nullptr, nullptr,
          FUTEX_BITSET_MATCH_ANY);
  if (first && now() >= first->due) {
    first->is_set = false;
    __atomic_store_n(&s.attention, 1, __ATOMIC_SEQ_CST);
  }
  return true;
}

/// Keeps this thread on one processor. Returns false if there is no such processor or the thread
/// may not run on it.
inline bool pin(int processor) {
  if (processor < 0 || processor >= CPU_SETSIZE) return false;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  return sched_setaffinity(0, sizeof only, &only) == 0;
}

/// Lets another thread have the processor.
inline void give_way() {
  sched_yield();
}

/// Tells whether other threads can run while this one does.
inline bool is_one_of_several_processors() {
  static const bool several = sysconf(_SC_NPROCESSORS_ONLN) > 1;
  return several;
}

/// Lets the other hardware thread of the processor go first for a moment.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Sleeps until attention is raised or `due` has come; for ever if `due` is the largest number.
inline bool sleep_until(uint64_t due) {
  const bool is_limited = due != ~uint64_t{0};
  timespec until = to_timespec(is_limited ? due : 0);
  syscall(SYS_futex, attention_word(), FUTEX_WAIT_BITSET_PRIVATE, 0, is_limited ? &until : nullptr, nullptr,
          FUTEX_BITSET_MATCH_ANY);
  return true;
}

}  // namespace host
}  // namespace baton
