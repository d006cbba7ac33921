// SPDX-License-Identifier: MIT
#include "signals.hpp"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <system_error>
#include <unistd.h>

namespace baton::BATON_VARIANT::service::detail {
namespace {

/// The state that the handler of signals reads: whose process it is, where to write, and whether a
/// signal came before.
std::atomic<pid_t> process{0};
std::atomic<int> write_end{-1};
std::atomic<bool> has_come{false};

void tell(int number) noexcept {
  const auto byte = static_cast<unsigned char>(number);
  const ssize_t written = ::write(write_end.load(), &byte, 1);
  static_cast<void>(written);  // a full pipe has told of a signal already
}

/// Opens the pipe at the first call; empties it later. It stays open, because a handler on another
/// thread may still be about to write when its signal has its former action again.
int open_pipe() {
  static int read_end = -1;
  if (read_end < 0) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
      throw std::system_error(errno, std::generic_category(), "a pipe for the signals that end the program");
    read_end = ends[0];
    write_end = ends[1];
  }
  std::array<char, 64> late{};
  while (::read(read_end, late.data(), late.size()) > 0) continue;
  return read_end;
}

/// Calls only functions that signal-safety(7) lists.
extern "C" void baton_end_signal(int number) {
  const int error = errno;
  if (::getpid() != process.load()) {
    static_cast<void>(std::signal(number, SIG_DFL));
    static_cast<void>(std::raise(number));  // comes when this handler returns
  } else if (has_come.exchange(true)) {
    ::_exit(128 + number);
  } else {
    tell(number);
  }
  errno = error;
}

}  // namespace

end_signals::end_signals(bool wanted, void* whom, call c) {
  if (!wanted) return;
  read_end_ = open_pipe();
  process = ::getpid();
  has_come = false;
  waiting_ = std::thread([this, whom, c] { wait(whom, c); });
  struct sigaction action {};
  action.sa_handler = baton_end_signal;
  action.sa_flags = SA_RESTART;
  for (size_t i = 0; i != ends.size(); ++i) {
    ::sigaction(ends[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(ends[i], &action, nullptr);
  }
}

end_signals::~end_signals() {
  if (!waiting_.joinable()) return;
  for (size_t i = 0; i != ends.size(); ++i) ::sigaction(ends[i], &before_[i], nullptr);
  tell(0);
  waiting_.join();
}

/// Waits for the first signal, and for the 0 of the destructor.
void end_signals::wait(void* whom, call c) const {
  for (unsigned char number = 0;;) {
    pollfd readable{read_end_, POLLIN, 0};
    if (::poll(&readable, 1, -1) < 0 || ::read(read_end_, &number, 1) != 1) continue;
    if (number == 0) return;
    c(whom, number);
  }
}

}  // namespace baton::BATON_VARIANT::service::detail
