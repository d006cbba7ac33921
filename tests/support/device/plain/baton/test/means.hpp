// SPDX-License-Identifier: MIT
#pragma once

/// The platform's part of the harness where constants are read like variables and there is no C
/// library.
namespace baton {
namespace test {

using flash_text = const char*;
inline char read_flash(flash_text p) {
  return *p;
}

using jump_target = void* [5];

}  // namespace test
}  // namespace baton

#define BATON_TEST_FLASH
#define BATON_TEST_TEXT(literal) static_cast<const char*>(literal)
#define BATON_TEST_SET_JUMP(target) __builtin_setjmp(target)
#define BATON_TEST_JUMP(target) __builtin_longjmp(target, 1)
