// SPDX-License-Identifier: MIT
#pragma once

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
// These are the declarations of <cxxabi.h>, a header of the C++ library.
// NOLINTBEGIN(readability-identifier-naming)
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}  // namespace __cxxabiv1
// NOLINTEND(readability-identifier-naming)

namespace baton {

/// Keeps the exceptions that are being handled. The C++ library keeps one list of them per thread,
/// and assumes that the exception caught last is the first one released. Tasks that switch while
/// they handle exceptions would break that, so each task takes its own list along.
///
/// Cost     two loads per switch; nothing where the program is compiled without exceptions.
/// Source   Itanium C++ ABI: Exception Handling, 2.2.2 "Caught Exception Stack".
class fiber_exceptions {
 public:
  struct held {
    void* caught;
    unsigned uncaught;
  };

  void begin() { thread_ = reinterpret_cast<held*>(__cxxabiv1::__cxa_get_globals()); }

  __attribute__((always_inline)) bool are_held() const { return thread_->caught || thread_->uncaught; }

  held take() {
    const held taken = *thread_;
    *thread_ = held{nullptr, 0};
    return taken;
  }
  void put_back(held taken) { *thread_ = taken; }

 private:
  held* thread_;
};

}  // namespace baton

#else

namespace baton {

class fiber_exceptions {
 public:
  struct held {};
  static void begin() {}
  static constexpr bool are_held() { return false; }
  static held take() { return {}; }
  static void put_back(held) {}
};

}  // namespace baton
#endif
