// SPDX-License-Identifier: MIT
// error: a value that crosses from an interrupt is copied byte by byte
#include <baton/core.hpp>

struct counted {
  counted() {}
  counted(const counted& other) : n(other.n) { ++copies; }
  counted& operator=(const counted& other) {
    n = other.n;
    ++copies;
    return *this;
  }
  int n = 0;
  static int copies;
};
int counted::copies = 0;

struct plain_value {
  int n = 0;
};

#if FAILS
static baton::isr_channel<counted, 4> line;
#else
static baton::isr_channel<plain_value, 4> line;
#endif

uint8_t use() {
  return line.depth();
}
