// SPDX-License-Identifier: MIT
#pragma once

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

namespace baton {
namespace board {

/// Standard input as a receive interrupt.
///
/// Shape    one handler per program. A thread of its own reads terminals, pipes and files alike,
///          which SIGIO from the operating system would not support. It interrupts the thread that
///          called `listen()` with a signal for each byte.
/// Context  the handler runs in that signal, between any two instructions of the listening thread,
///          like an interrupt on a microcontroller: let it store the byte and set an `isr_signal`.
///          While the thread masks SIGIO, the handler waits.
/// Errors   at the end of the input no more bytes come; the program is not notified.
struct serial_in {
  /// Calls `on_byte` for each byte from now on.
  static void listen(void (*on_byte)(uint8_t)) {
    line& l = the_line();
    l.handler = on_byte;
    l.listener = pthread_self();
    sem_init(&l.taken, 0, 0);
    struct sigaction action = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGIO, &action, nullptr);
    start_reader();
  }

 private:
  struct line {
    void (*handler)(uint8_t);
    pthread_t listener;
    sem_t taken;
    uint8_t byte;
    bool full;
  };

  static line& the_line() {
    static line l;
    return l;
  }

  // The reader inherits a mask that blocks all signals, so each signal goes to the listening
  // thread.
  static void start_reader() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t reader;
    if (pthread_create(&reader, nullptr, read_all, nullptr) == 0) pthread_detach(reader);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  static void* read_all(void*) {
    line& l = the_line();
    uint8_t byte;
    while (read(STDIN_FILENO, &byte, 1) == 1) {
      l.byte = byte;
      __atomic_store_n(&l.full, true, __ATOMIC_RELEASE);
      pthread_kill(l.listener, SIGIO);
      while (sem_wait(&l.taken) != 0) {
      }
    }
    return nullptr;
  }

  static void on_signal(int) {
    line& l = the_line();
    if (!__atomic_exchange_n(&l.full, false, __ATOMIC_ACQUIRE)) return;  // a SIGIO from elsewhere
    const int saved = errno;
    l.handler(l.byte);
    errno = saved;
    sem_post(&l.taken);
  }
};

}  // namespace board
}  // namespace baton
