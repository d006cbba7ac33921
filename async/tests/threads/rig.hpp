// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// Common parts of the programs with several threads. They have checks of their own, for any
/// thread, without the harness, so that only the tested code synchronizes the threads.
namespace rig {

inline std::atomic<unsigned> checks{0};
inline std::atomic<unsigned> failures{0};

inline void check(bool holds, const char* what, int line) {
  checks.fetch_add(1, std::memory_order_relaxed);
  if (holds) return;
  if (failures.fetch_add(1, std::memory_order_relaxed) < 10) std::fprintf(stderr, "line %d: %s\n", line, what);
}

/// A group of threads that begin together.
class together {
 public:
  template <typename Body>
  together(unsigned count, Body body) {
    for (unsigned i = 0; i != count; ++i) {
      threads_.emplace_back([this, i, body]() mutable {
        while (!go_.load(std::memory_order_acquire)) std::this_thread::yield();
        body(i);
      });
    }
    go_.store(true, std::memory_order_release);
  }
  ~together() {
    for (std::thread& t : threads_) t.join();
  }

 private:
  std::atomic<bool> go_{false};
  std::vector<std::thread> threads_;
};

/// Returns what another process prints on its standard error while it runs `body`, and how it ends.
template <typename Body>
std::string errors_of(Body body, int& status) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    body();
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  for (ssize_t n; (n = read(ends[0], part, sizeof(part))) > 0;) text.append(part, static_cast<size_t>(n));
  close(ends[0]);
  waitpid(child, &status, 0);
  return text;
}

/// Returns the exit code of main.
inline int verdict() {
  const bool good = failures == 0 && checks != 0;
  std::printf("verdict: %s\n", good ? "good" : "bad");
  return good ? 0 : 1;
}

}  // namespace rig

#define CHECK(...) ::rig::check(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __LINE__)
