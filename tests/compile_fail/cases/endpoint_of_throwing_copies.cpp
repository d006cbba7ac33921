// SPDX-License-Identifier: MIT
// error: the copy of a Request or Reply must exist and be noexcept
// lines: 19
// not: avr-g++
#include <baton/core.hpp>

struct request {
  request() {}
  request(const request& other) noexcept(!FAILS);
  request& operator=(const request& other) noexcept(!FAILS);
  request(request&& other) noexcept;
  request& operator=(request&& other) noexcept;
};

baton::exchange<request, int> e;
