// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace suite_realtime {

/// The kernel's throttle: the microseconds of each period that real-time threads may run; -1: all.
///
/// Shape    a process of its own waits for the end of this one, however it ends, and restores the
///          former value.
/// Context  constructed before there are other threads. While one process has the file locked, no
///          other sets it.
/// Errors   a setting that the system refuses stays as it is.
/// Source   sched(7), "Limiting the CPU usage of real-time and deadline processes".
class throttle {
 public:
  static constexpr const char* system_file = "/proc/sys/kernel/sched_rt_runtime_us";

  explicit throttle(const char* path = system_file, bool may_set = true) {
    if (may_set) file_ = open(path, O_RDWR | O_CLOEXEC);
    const bool is_ours = file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) == 0;
    if (file_ < 0) file_ = open(path, O_RDONLY | O_CLOEXEC);
    former_ = value();
    if (is_ours && former_) begin_guard();
  }
  throttle(const throttle&) = delete;
  throttle& operator=(const throttle&) = delete;
  ~throttle() {
    if (life_ >= 0) {
      close(life_);
      waitpid(guard_, nullptr, 0);
    }
    if (file_ >= 0) close(file_);
  }

  /// The present value; empty if there is none or it cannot be read.
  std::optional<long> value() const {
    char text[32] = {};
    if (file_ < 0 || pread(file_, text, sizeof text - 1, 0) <= 0) return {};
    char* end = nullptr;
    const long found = std::strtol(text, &end, 10);
    if (end == text) return {};
    return found;
  }
  /// Sets the throttle. Returns true if it has the wanted value afterwards.
  bool set(long wanted) const {
    if (life_ >= 0) put(wanted);
    return value() == wanted;
  }

  /// Calls `f(name)` under each setting that the system allows, the former one first.
  template <typename F>
  void under_each(const std::vector<long>& wanted, F f) const {
    if (!former_) return f(std::string("none"));
    std::vector<long> all{*former_};
    for (const long w : wanted) {
      if (std::find(all.begin(), all.end(), w) == all.end()) all.push_back(w);
    }
    for (const long w : all) {
      if (set(w)) f(std::to_string(w));
    }
  }

 private:
  void put(long wanted) const {
    const std::string text = std::to_string(wanted) + "\n";
    static_cast<void>(ftruncate(file_, 0) == 0);  // the kernel's own file needs no truncation and refuses it
    static_cast<void>(pwrite(file_, text.data(), text.size(), 0) > 0);
  }

  void begin_guard() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    guard_ = fork();
    if (guard_ == 0) guard(ends[0], ends[1]);
    close(ends[0]);
    life_ = ends[1];
    if (guard_ < 0) close(std::exchange(life_, -1));
  }
  [[noreturn]] void guard(int end, int life) const {
    setsid();  // so that a signal to the program's process group does not end it
    for (const int s : {SIGHUP, SIGINT, SIGTERM}) std::signal(s, SIG_IGN);
    close(life);
    for (const int shown : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(shown);
    for (char c = 0; read(end, &c, 1) < 0 && errno == EINTR;) {
    }
    put(*former_);
    _exit(0);
  }

  int file_ = -1;
  std::optional<long> former_;
  pid_t guard_ = -1;
  int life_ = -1;  // the end of this process closes it
};

}  // namespace suite_realtime
