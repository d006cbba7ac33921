// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string>

// A child: this program in a process of its own, which does a part of the work.

namespace suite_service {

/// The part of the program that a child runs. Cases are numbered in their order.
struct child_request {
  enum class purpose : uint8_t { none, weigh_workload, weigh_floor, run_at_a_sign };
  static constexpr const char* word = "--child";

  purpose what = purpose::none;
  uint32_t number = 0;

  bool is_child() const { return what != purpose::none; }
  static child_request of(int argc, char** argv) {
    if (argc != 4 || std::string(argv[1]) != word) return {};
    const auto number = [](const char* text) { return static_cast<uint32_t>(std::strtoul(text, nullptr, 10)); };
    return {static_cast<purpose>(number(argv[2])), number(argv[3])};
  }
};

/// A child, with a pipe to it and a pipe from it.
class child {
 public:
  explicit child(child_request r) {
    char self[PATH_MAX] = {};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) return;
    std::string word = child_request::word, what = std::to_string(static_cast<unsigned>(r.what));
    std::string number = std::to_string(r.number);
    char* arguments[] = {self, word.data(), what.data(), number.data(), nullptr};
    process_ = fork();
    if (process_ == 0) {
      unsetenv("BATON_CALLGRIND");
      dup2(to[0], STDIN_FILENO);
      dup2(from[1], STDOUT_FILENO);
      execv(self, arguments);
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    to_ = to[1];
    from_ = from[0];
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  ~child() {
    for (const int end : {to_, from_}) {
      if (end >= 0) close(end);  // a child that waits for a sign ends
    }
    static_cast<void>(has_ended_well());
  }

  /// Waits for one character; `rest` reads the child's output to its end.
  bool waits_for_sign() { return read_some(1) == 1; }
  std::string rest() {
    while (read_some(64) > 0) {
    }
    return text_;
  }
  bool give_sign() const { return write(to_, "g", 1) == 1; }

  bool has_ended_well() {
    if (process_ <= 0) return false;
    int ended = 0;
    const bool is_well = waitpid(process_, &ended, 0) == process_ && ended == 0;
    process_ = -1;
    return is_well;
  }

 private:
  ssize_t read_some(size_t most) {
    char some[64];
    const ssize_t had = read(from_, some, most);
    if (had > 0) text_.append(some, static_cast<size_t>(had));
    return had;
  }

  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  std::string text_;
};

/// Called in the child: says that it is ready, and waits for the sign to go on.
inline void wait_for_sign() {
  char sign = 'r';
  if (write(STDOUT_FILENO, &sign, 1) != 1 || read(STDIN_FILENO, &sign, 1) != 1) _exit(1);
}

}  // namespace suite_service
