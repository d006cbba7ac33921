// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/language.hpp>
#include <baton/core/attributes.hpp>
#include <baton/core/variant.hpp>

#if defined(__cpp_exceptions) && __has_include(<exception>)
#include <exception>
#define BATON_ASYNC_THROWS 1
#else
#define BATON_ASYNC_THROWS 0
#endif

namespace baton::BATON_VARIANT::async {
namespace detail {

#if BATON_ASYNC_THROWS

/// The exception that a coroutine threw, kept until a caller asks for the coroutine's result.
struct failure {
  explicit operator bool() const noexcept { return thrown != nullptr; }
  BATON_NOINLINE void keep_current() noexcept { thrown = std::current_exception(); }
  void rethrow() {
    if (BATON_UNLIKELY(thrown != nullptr)) std::rethrow_exception(detail::exchange(thrown, std::exception_ptr()));
  }

  std::exception_ptr thrown;
};

/// True while an exception unwinds the stack.
inline bool is_unwinding() noexcept {
  return std::uncaught_exceptions() != 0;
}

#else

constexpr bool is_unwinding() noexcept {
  return false;
}

/// An empty stand-in: nothing is thrown where exceptions are off.
struct failure {
  explicit operator bool() const noexcept { return false; }
  void keep_current() noexcept {}
  void rethrow() noexcept {}
};

#endif

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
