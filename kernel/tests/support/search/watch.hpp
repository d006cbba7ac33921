// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <signal.h>
#include <unistd.h>

namespace baton {
namespace test {
namespace search {

/// While one exists, a crash of the program, or a step without an end, is reported by `report`, and
/// ends the program with exit code 1.
class watch {
 public:
  explicit watch(std::function<void()> report) {
    current() = std::move(report);
    for (size_t i = 0; i < count; ++i) former_[i] = ::signal(signals()[i], &end);
    feed();
  }
  ~watch() {
    alarm(0);
    for (size_t i = 0; i < count; ++i) ::signal(signals()[i], former_[i]);
  }
  watch(const watch&) = delete;
  watch& operator=(const watch&) = delete;

  /// Says that the program goes on.
  static void feed() { alarm(limit_s); }

 private:
  static constexpr unsigned limit_s = 60;
  static constexpr size_t count = 5;

  static const int* signals() {
    static const int all[count] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM};
    return all;
  }
  static std::function<void()>& current() {
    static std::function<void()> report;
    return report;
  }
  static void end(int) {
    current()();
    _exit(1);
  }

  void (*former_[count])(int);
};

}  // namespace search
}  // namespace test
}  // namespace baton
