// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/types.hpp>

/// Service-provider interface of the kernel: for ports that protect memory, sections of the linker
/// for objects, and pieces of memory to compare addresses with.
///
/// It is for Baton's ports. Users do not name it, and it may change with any release.

#define BATON_SPI_TEXT_OF(n) #n
#define BATON_SPI_TEXT_OF_VALUE(n) BATON_SPI_TEXT_OF(n)

#ifdef __FILE_NAME__
#define BATON_SPI_NAME_OF_FILE __FILE_NAME__ "."
#else
#define BATON_SPI_NAME_OF_FILE
#endif

/// A section of its own for each object, which begins as zeros and whose name begins unlike that of
/// any variable. The linker script gathers the sections of a kind by alignment; two objects of one
/// section would be padded to the larger alignment.
#define BATON_SPI_SECTION_OF(kind) \
  section(".bss.." kind            \
          "." BATON_SPI_NAME_OF_FILE BATON_SPI_TEXT_OF_VALUE(__LINE__) "." BATON_SPI_TEXT_OF_VALUE(__COUNTER__))

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

  /// True if the window and a piece share a byte.
  bool meets(const memory_piece& p) const {
    const word address = reinterpret_cast<word>(p.start);
    return p.bytes != 0 && bytes_ != 0 && (holds(address) || start_ - address < p.bytes);
  }

  friend bool operator==(const memory_window& a, const memory_window& b) {
    return a.start_ == b.start_ && a.bytes_ == b.bytes_;
  }

  /// Tests for a text of at most `longest_task_name` characters in the window.
  bool holds_name(const char* name) const {
    const word offset = reinterpret_cast<word>(name) - start_;
    if (offset >= bytes_) return false;
    const word left = bytes_ - offset;
    const char* const end = name + (left < longest_task_name + 1 ? left : longest_task_name + 1);
    for (; name != end; ++name) {
      if (!*name) return true;
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
