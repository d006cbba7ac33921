// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <thread>

/// SIGINT and SIGTERM without a signal handler: a thread waits for them.
namespace baton::BATON_VARIANT::service::detail {

/// A thread that waits for the signals that end a program. The first signal calls a function; the
/// second one ends the program at once. The destructor ends the thread.
///
/// Context  constructed on the thread that starts all others, before them, because they inherit
///          that the signals are blocked. One application per process at a time.
class end_signals {
 public:
  using call = void (*)(void* whom, int number);

  end_signals(bool wanted, void* whom, call c) {
    if (!wanted) return;
    sigemptyset(&ends_);
    for (const int number : {SIGINT, SIGTERM, wake}) sigaddset(&ends_, number);
    pthread_sigmask(SIG_BLOCK, &ends_, &before_);
    waiting_ = std::thread([this, whom, c] { wait(whom, c); });
  }
  end_signals(const end_signals&) = delete;
  ~end_signals() {
    if (!waiting_.joinable()) return;
    pthread_kill(waiting_.native_handle(), wake);
    waiting_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  static constexpr int wake = SIGUSR2;

  void wait(void* whom, call c) const {
    for (bool again = false;; again = true) {
      int number = 0;
      if (sigwait(&ends_, &number) != 0 || number == wake) return;
      if (again) std::_Exit(128 + number);
      c(whom, number);
    }
  }

  sigset_t ends_{};
  sigset_t before_{};
  std::thread waiting_;
};

}  // namespace baton::BATON_VARIANT::service::detail
