// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <cstdlib>
#include <new>

/// A heap that refuses one allocation. Include it in one source of a program: it replaces the
/// global operator new.
namespace baton::test {

/// The allocations until the one that is refused; 0: none is.
inline long& allocations_left() {
  static long left = 0;
  return left;
}

/// Refuses the allocation number `n`, counted from 1, until the end of the block.
struct refused_allocation {
  explicit refused_allocation(long n) { allocations_left() = n; }
  refused_allocation(const refused_allocation&) = delete;
  ~refused_allocation() { allocations_left() = 0; }
  bool was_refused() const { return allocations_left() == 0; }
};

inline void* allocate(std::size_t bytes) {
  long& left = allocations_left();
  if (left != 0 && --left == 0) return nullptr;
  return std::malloc(bytes ? bytes : 1);
}

}  // namespace baton::test

// Not inline: a compiler that saw one of a pair would take the other for a mismatch.
BATON_NOINLINE void* operator new(std::size_t bytes) {
  if (void* const memory = baton::test::allocate(bytes)) return memory;
  throw std::bad_alloc();
}
BATON_NOINLINE void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return baton::test::allocate(bytes);
}
BATON_NOINLINE void operator delete(void* memory) noexcept {
  std::free(memory);
}
BATON_NOINLINE void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
BATON_NOINLINE void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
