// SPDX-License-Identifier: MIT
//
// Holds the functions of string.h that the start-up code does not have, and the heap of a sketch,
// of which nothing is given back.
#include <stdint.h>
#include <string.h>

namespace {

alignas(8) char memory[1024];
size_t used;

}  // namespace

extern "C" {

int strncmp(const char* left, const char* right, size_t count) {
  for (; count; --count, ++left, ++right) {
    if (*left != *right) return static_cast<uint8_t>(*left) < static_cast<uint8_t>(*right) ? -1 : 1;
    if (!*left) break;
  }
  return 0;
}

int strcmp(const char* left, const char* right) {
  return strncmp(left, right, static_cast<size_t>(-1));
}

void* malloc(size_t bytes) {
  const size_t begin = used, end = begin + (bytes + 7) / 8 * 8;
  if (end > sizeof(memory)) return nullptr;
  used = end;
  return memory + begin;
}

void free(void*) {}
}

void* operator new(size_t bytes) {
  return malloc(bytes);
}
void* operator new[](size_t bytes) {
  return malloc(bytes);
}
void operator delete(void*) noexcept {}
void operator delete[](void*) noexcept {}
void operator delete(void*, size_t) noexcept {}
void operator delete[](void*, size_t) noexcept {}
