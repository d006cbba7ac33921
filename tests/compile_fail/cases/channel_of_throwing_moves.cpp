// SPDX-License-Identifier: MIT
// error: the move of a value that is sent must not throw: declare its move constructor
// lines: 19
// not: avr-g++
#include <baton/core.hpp>

struct text {
  text() {}
  text(text&& other) noexcept(!FAILS);
  text& operator=(text&& other) noexcept(!FAILS);
};

baton::channel<text, 3> texts;
