// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <utility>

namespace baton {
namespace test {
namespace search {

/// While one exists, `report` is called when the program crashes, or a step does not end; then the
/// signal ends the program.
class watch {
 public:
  explicit watch(std::function<void()> report) {
    current() = std::move(report);
    for (size_t i = 0; i < count; ++i) former_[i] = ::signal(signals()[i], &end);
    feed();
  }
  ~watch() {
    start(0);
    for (size_t i = 0; i < count; ++i) ::signal(signals()[i], former_[i]);
  }
  watch(const watch&) = delete;
  watch& operator=(const watch&) = delete;

  /// Says that the program goes on.
  static void feed() { start(limit_s); }

 private:
  static constexpr time_t limit_s = 10;  // of the processor
  static constexpr size_t count = 5;

  static void start(time_t seconds) {
    const itimerval left = {{0, 0}, {seconds, 0}};
    setitimer(ITIMER_VIRTUAL, &left, nullptr);
  }
  static const int* signals() {
    static const int all[count] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGVTALRM};
    return all;
  }
  static std::function<void()>& current() {
    static std::function<void()> report;
    return report;
  }
  static void end(int what) {
    ::signal(what, SIG_DFL);
    current()();
    raise(what);
  }

  void (*former_[count])(int);
};

}  // namespace search
}  // namespace test
}  // namespace baton
