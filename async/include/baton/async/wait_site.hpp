// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

namespace baton::BATON_VARIANT::async {
namespace detail {

/// True on ports whose coroutines note the lines of their awaits: those that check, and those that
/// declare `notes_lines`.
template <typename Port>
constexpr bool notes_lines_on(int, decltype(Port::notes_lines)* = nullptr) {
  return Port::notes_lines;
}
template <typename Port>
constexpr bool notes_lines_on(long) {
  return Port::checked;
}

/// The place of a coroutine's last `co_await`. Empty on a port that does not note it.
template <bool IsNoted>
struct noted_wait_site {
  static constexpr noted_wait_site here() noexcept { return {}; }
  static constexpr const char* file() noexcept { return nullptr; }
  static constexpr uint32_t line() noexcept { return 0; }
};
template <>
struct noted_wait_site<true> {
  static constexpr noted_wait_site here(const char* file = __builtin_FILE(),
                                        uint32_t line = __builtin_LINE()) noexcept {
    return {file, line};
  }
  constexpr const char* file() const noexcept { return file_; }
  constexpr uint32_t line() const noexcept { return line_; }

  const char* file_ = nullptr;
  uint32_t line_ = 0;
};

using wait_site = noted_wait_site<notes_lines_on<port>(0)>;

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
