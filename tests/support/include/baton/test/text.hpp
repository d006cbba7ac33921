// SPDX-License-Identifier: MIT
#pragma once

#include <baton/test/check.hpp>

namespace baton {
namespace test {

/// Keeps the text that a renderer prints, or that a test adds up.
template <uint16_t Bytes>
struct text_sink {
  void put(char c) {
    if (used + 1 < Bytes) text[used++] = c;
  }
  text_sink& operator+=(char c) {
    put(c);
    return *this;
  }
  text_sink& operator+=(const char* more) {
    while (*more) put(*more++);
    return *this;
  }

  char text[Bytes] = {};
  uint16_t used = 0;
};

}  // namespace test
}  // namespace baton

/// Compares the whole text of a sink, to the last character.
#define CHECK_TEXT(sink, literal) BATON_TEST_CHECK_SAME_TEXT((sink).text, literal)
