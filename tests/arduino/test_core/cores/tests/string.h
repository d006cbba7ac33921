// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>

// The part of the C library that sketches call; the compilers here come without one.

#ifdef __cplusplus
extern "C" {
#endif

void* memcpy(void* to, const void* from, size_t count);
void* memmove(void* to, const void* from, size_t count);
void* memset(void* to, int value, size_t count);
int memcmp(const void* left, const void* right, size_t count);
size_t strlen(const char* text);
int strcmp(const char* left, const char* right);
int strncmp(const char* left, const char* right, size_t count);

#ifdef __cplusplus
}
#endif
