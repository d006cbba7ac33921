// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <cstddef>
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

inline void* allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
  long& left = allocations_left();
  if (left != 0 && --left == 0) return nullptr;
  const std::size_t whole = (bytes + alignment - 1) & ~(alignment - 1);
  return std::aligned_alloc(alignment, whole ? whole : alignment);
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
BATON_NOINLINE void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return baton::test::allocate(bytes, static_cast<std::size_t>(alignment));
}
BATON_NOINLINE void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* const memory = baton::test::allocate(bytes, static_cast<std::size_t>(alignment))) return memory;
  throw std::bad_alloc();
}
BATON_NOINLINE void operator delete(void* memory) noexcept {
  std::free(memory);
}
BATON_NOINLINE void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
BATON_NOINLINE void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
BATON_NOINLINE void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
BATON_NOINLINE void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
BATON_NOINLINE void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
