// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/types.hpp>

/// Service-provider interface of the kernel: pieces of memory that a task may touch, for ports that
/// compare addresses with them.
///
/// It is for Baton's ports. Users do not name it, and it may change with any release.
namespace baton {
namespace kernel {
namespace spi {

/// A piece of memory.
class memory_window {
 public:
  constexpr memory_window() = default;
  constexpr memory_window(word start, word end) : start_(start), bytes_(end - start) {}

  /// All memory but null.
  static constexpr memory_window of_all() { return memory_window(1, 0); }

  BATON_INLINE bool holds(word address) const { return address - start_ < bytes_; }
  BATON_INLINE bool holds(word address, word bytes) const {
    word end;
    return !__builtin_add_overflow(address - start_, bytes, &end) && end <= bytes_;
  }

  /// Tests for a text of at most `longest_task_name` characters in the window.
  bool holds_name(const char* name) const {
    for (word i = 0; i <= longest_task_name; ++i) {
      if (!holds(reinterpret_cast<word>(name + i))) return false;
      if (!name[i]) return true;
    }
    return false;
  }

  /// The two words, for assembly.
  BATON_INLINE const word& start() const { return start_; }
  BATON_INLINE const word& bytes() const { return bytes_; }

 private:
  word start_ = 0;
  word bytes_ = 0;
};

}  // namespace spi
}  // namespace kernel
}  // namespace baton
