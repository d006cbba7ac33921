// SPDX-License-Identifier: MIT
// error: the move of a value that is sent must not throw
// lines: 24
// not: avr-g++
#include <baton/core.hpp>

struct request {
  request() {}
  request(request&& other) noexcept(!FAILS);
  request& operator=(request&& other) noexcept(!FAILS);
};

baton::exchange<request, int> e;
