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

/// Service-provider interface of async: memory that is lent out and given back.
///
/// It is for Baton's modules and ports. Users do not name it, and it may change with any release.
namespace baton::BATON_VARIANT::async::spi {

/// Forbids access to memory that has come back to its pool. AddressSanitizer names code that
/// touches the memory before `unpoison`.
/// Cost     nothing in a program that is compiled without AddressSanitizer.
BATON_INLINE void poison([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) noexcept {
#if BATON_ASYNC_POISONS
  __asan_poison_memory_region(memory, bytes);
#endif
}

/// Allows access to memory that its pool lends out.
BATON_INLINE void unpoison([[maybe_unused]] void* memory, [[maybe_unused]] size_t bytes) noexcept {
#if BATON_ASYNC_POISONS
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

}  // namespace baton::BATON_VARIANT::async::spi
