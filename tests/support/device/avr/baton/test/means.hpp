// SPDX-License-Identifier: MIT
#pragma once

#include <avr/pgmspace.h>
#include <setjmp.h>

// Clang has no attribute for objects in flash, so the section is named instead.
#ifdef __clang__
#undef PROGMEM
#define PROGMEM __attribute__((section(".progmem.data")))
#endif

/// The platform's part of the harness: constants in flash, and a jump back, by avr-libc.
namespace baton {
namespace test {

/// Address of characters in flash.
using flash_text = const char*;
inline char read_flash(flash_text p) {
  return static_cast<char>(pgm_read_byte(p));
}

using jump_target = jmp_buf;

}  // namespace test
}  // namespace baton

#define BATON_TEST_FLASH PROGMEM
#define BATON_TEST_TEXT(literal) PSTR(literal)
#define BATON_TEST_SET_JUMP(target) setjmp(target)
#define BATON_TEST_JUMP(target) longjmp(target, 1)
