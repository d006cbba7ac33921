// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/core/variant.hpp>
#include <csignal>
#include <thread>

namespace baton::BATON_VARIANT::service::detail {

/// The signals that end a program, SIGINT and SIGTERM. The first one calls a function on a thread
/// of its own; the second one ends the program at once. A signal that the program was started to
/// ignore, as a shell does for what runs in its background, stays ignored.
///
/// No signal is blocked, so that programs which this one starts get theirs. System calls of other
/// threads are restarted where signal(7) says that they can be.
///
/// Context  one object per process at a time. A forked process that executes no other program has
///          the signals' default actions.
/// Errors   `std::system_error` if the process may have no further file descriptor or thread.
class end_signals {
 public:
  using call = void (*)(void* whom, int number);

  end_signals(bool wanted, void* whom, call c);
  end_signals(const end_signals&) = delete;
  ~end_signals();

 private:
  static constexpr std::array<int, 2> ends = {SIGINT, SIGTERM};

  void wait(void* whom, call c) const;

  int read_end_ = -1;
  std::array<struct sigaction, ends.size()> before_{};
  std::thread waiting_;
};

}  // namespace baton::BATON_VARIANT::service::detail
