// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/ticks.hpp>

/// A moment of looking, before a thread sleeps.
namespace baton::BATON_VARIANT::service::detail {

/// Waits for a moment with a job that has nothing to do, on a port where other threads run
/// meanwhile.
class short_wait {
 public:
  /// Looks a few times. false: it has looked for long enough, or looking does not pay here.
  template <typename HasCome>
  bool look(HasCome has_come) noexcept {
    return look_in<port>(has_come, 0);
  }
  /// The same beside other jobs, which run between two calls.
  bool look_in_passing() noexcept { return ++passes_ < most_passes; }
  void begin_again() noexcept {
    has_begun_ = false;
    passes_ = 0;
  }

 private:
  static constexpr unsigned looks = 32;
  static constexpr unsigned most_passes = 8;

  template <typename Port, typename HasCome>
  auto look_in(HasCome has_come, int) noexcept -> decltype(Port::pause(), bool()) {
    if (!has_begun_) {
      most_ = Port::worth_looking();
      if (most_ == 0) return false;
      begun_ = Port::now();
      has_begun_ = true;
    }
    for (unsigned left = looks; left != 0; --left) {
      if (has_come()) return true;
      Port::pause();
    }
    return Port::now() - begun_ < most_;
  }
  template <typename Port, typename HasCome>
  bool look_in(HasCome, long) noexcept {
    return false;
  }

  tick begun_ = 0;
  tick most_ = 0;
  bool has_begun_ = false;
  unsigned passes_ = 0;
};

}  // namespace baton::BATON_VARIANT::service::detail
