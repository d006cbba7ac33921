// SPDX-License-Identifier: MIT
//
// The functions that the compiler calls by itself on a board without a C library. They are marked
// as used, because link-time optimisation does not see these calls, and compiled without the loop
// recognition that would turn each of them into a call of itself. The options stand in the file,
// because an installation hands it out to be compiled with a consumer's flags.
#include <stddef.h>
#include <stdint.h>

#pragma GCC optimize("no-tree-loop-distribute-patterns")

// A word may alias an object of any type, which a copy needs.
typedef uint32_t __attribute__((may_alias)) word;

__attribute__((used)) void* memcpy(void* restrict to, const void* restrict from, size_t count) {
  char* t = to;
  const char* f = from;
  if ((((uintptr_t)t | (uintptr_t)f) & (sizeof(word) - 1)) == 0) {
    for (; count >= sizeof(word); count -= sizeof(word), t += sizeof(word), f += sizeof(word)) {
      *(word*)(void*)t = *(const word*)(const void*)f;
    }
  }
  for (; count; --count) *t++ = *f++;
  return to;
}

__attribute__((used)) void* memmove(void* to, const void* from, size_t count) {
  char* t = to;
  const char* f = from;
  if (t <= f) return memcpy(to, from, count);
  while (count--) t[count] = f[count];
  return to;
}

__attribute__((used)) void* memset(void* to, int value, size_t count) {
  for (char* t = to; count; --count) *t++ = (char)value;
  return to;
}

__attribute__((used)) int memcmp(const void* left, const void* right, size_t count) {
  const unsigned char *l = left, *r = right;
  for (; count; --count, ++l, ++r) {
    if (*l != *r) return *l < *r ? -1 : 1;
  }
  return 0;
}

__attribute__((used)) size_t strlen(const char* text) {
  const char* end = text;
  while (*end) ++end;
  return (size_t)(end - text);
}
