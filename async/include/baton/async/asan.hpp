// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/variant.hpp>
#include <stddef.h>

#if defined(BATON_WITH_ASAN)
#define BATON_ASYNC_POISONS 1
#else
#define BATON_ASYNC_POISONS 0
#endif

#if BATON_ASYNC_POISONS
// NOLINTBEGIN(readability-identifier-naming)
extern "C" void __asan_poison_memory_region(const volatile void* address, size_t bytes);
extern "C" void __asan_unpoison_memory_region(const volatile void* address, size_t bytes);
// NOLINTEND(readability-identifier-naming)
#endif

namespace baton::BATON_VARIANT::async {
namespace detail {

/// Forbids access to a free pooled frame, as to freed memory of the heap, in a program that is
/// compiled with AddressSanitizer: it reports a pointer into a coroutine that has ended. In other
/// programs these functions are empty.
BATON_INLINE void poison([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) noexcept {
#if BATON_ASYNC_POISONS
  __asan_poison_memory_region(memory, bytes);
#endif
}

BATON_INLINE void unpoison([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) noexcept {
#if BATON_ASYNC_POISONS
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
