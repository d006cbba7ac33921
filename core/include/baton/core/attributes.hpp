// SPDX-License-Identifier: MIT
#pragma once

// The compiler extensions that core needs, each under one name. GCC 5.4 (avr-g++), GCC 12 and clang
// 14 have them all.

#define BATON_INLINE inline __attribute__((always_inline))  // a hot path of a few instructions
#define BATON_NOINLINE __attribute__((noinline))            // a shared slow path: one copy per program
#define BATON_FLATTEN __attribute__((flatten))              // inlines all that it calls, however large
#define BATON_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define BATON_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#ifdef __has_cpp_attribute
#if __has_cpp_attribute(clang::warn_unused_result)
#define BATON_NODISCARD_TYPE __attribute__((warn_unused_result))
#elif __has_cpp_attribute(nodiscard)
#define BATON_NODISCARD [[nodiscard]]
#define BATON_NODISCARD_TYPE [[nodiscard]]
#endif
#endif
#ifndef BATON_NODISCARD
#define BATON_NODISCARD __attribute__((warn_unused_result))  // clang's is silent for a cast to void, too
#endif
#ifndef BATON_NODISCARD_TYPE
#define BATON_NODISCARD_TYPE  // GCC 5.4 has the attribute for functions alone
#endif
#ifdef __has_builtin
#if __has_builtin(__is_trivially_destructible)
#define BATON_IS_TRIVIALLY_DESTRUCTIBLE(type) __is_trivially_destructible(type)  // true if its destructor does nothing
#endif
#endif
#ifndef BATON_IS_TRIVIALLY_DESTRUCTIBLE
#define BATON_IS_TRIVIALLY_DESTRUCTIBLE(type) __has_trivial_destructor(type)
#endif
#define BATON_COMPILER_BARRIER() __asm__ volatile("" ::: "memory")
