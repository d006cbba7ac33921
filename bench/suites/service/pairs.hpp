// SPDX-License-Identifier: MIT
#pragma once

#include "interval.hpp"
#include "peak.hpp"

// Two processes that share nothing but the machine: the floor of two threads of one process.

namespace suite_service {

/// Both get the sign to begin at once, and the interval ends with the later end.
class two_processes {
 public:
  explicit two_processes(uint32_t number) : one_({purpose, number}), other_({purpose, number}) {
    is_ready_ = one_.waits_for_sign() && other_.waits_for_sign();
  }

  /// Returns nanoseconds.
  uint64_t interval() {
    baton::board::meter::start();
    run();
    baton::board::meter::stop();
    finish();
    return baton::board::meter::elapsed_ns();
  }

  void run() {
    is_ready_ = is_ready_ && one_.give_sign() && other_.give_sign();
    is_ready_ = is_ready_ && one_.waits_for_sign() && other_.waits_for_sign();
  }
  /// Ends the program with exit code 1 if a child's count is wrong.
  void finish() {
    is_ready_ = is_ready_ && one_.give_sign() && other_.give_sign();
    if (!is_ready_) {
      baton::bench::detail::verdict::failed() = true;
      return;
    }
    const bool is_one_right = answer_of(one_, signs).counts.is_right();
    const bool is_other_right = answer_of(other_, signs).counts.is_right();
    if (!is_one_right || !is_other_right) baton::bench::detail::verdict::failed() = true;
  }

  /// Called in each child. The first run warms caches and branch predictors.
  template <typename Work>
  [[noreturn]] static void run_at_a_sign(uint32_t operations) {
    one_thread<Work>(operations);
    Work w(operations);
    wait_for_sign();
    w.run();
    wait_for_sign();
    answer(w.finish());
  }

 private:
  static constexpr auto purpose = child_request::purpose::run_at_a_sign;
  static constexpr size_t signs = 2;  // before its answer

  child one_, other_;
  bool is_ready_ = false;
};

}  // namespace suite_service
