// SPDX-License-Identifier: MIT
#include <baton/test/trace.hpp>

using namespace baton;

namespace {

/// Keeps what is printed.
struct page {
  void put(char c) {
    if (used < sizeof text - 1) text[used++] = c;
    text[used] = 0;
  }
  bool is(const char* expected) {
    const char* t = text;
    while (*t && *t == *expected) ++t, ++expected;
    const bool same = *t == *expected;
    used = 0;
    text[0] = 0;
    return same;
  }
  char text[80] = {};
  uint8_t used = 0;
};

struct celsius {
  int16_t tenths;
  template <typename Sink>
  void print_to(Sink& sink) const {
    print(sink, decimal(tenths).fixed(1), " C");
  }
};

}  // namespace

TEST_CASE("print writes texts, characters and integers one after the other") {
  page p;
  char own[] = {'o', 'w', 'n', 0};
  print(p, "got ", 42, ' ', own, '\n');
  CHECK(p.is("got 42 own\n"));
  print(p, constant_text(BATON_TEXT("in flash")));
  CHECK(p.is("in flash"));
  print(p);
  CHECK(p.is(""));
  print_line(p, "n=", 7u);
  CHECK(p.is("n=7\r\n"));
  print_line(p);
  CHECK(p.is("\r\n"));
}

TEST_CASE("an integer of any type is a number, at both ends of its range; only char is a character") {
  page p;
  print(p, static_cast<uint8_t>(255), ' ', static_cast<int8_t>(-128), ' ', static_cast<signed char>(65), 'A');
  CHECK(p.is("255 -128 65A"));
  print(p, static_cast<int16_t>(-32767 - 1), ' ', static_cast<uint16_t>(65535));
  CHECK(p.is("-32768 65535"));
  print(p, static_cast<int32_t>(-2147483647 - 1), ' ', static_cast<uint32_t>(4294967295u));
  CHECK(p.is("-2147483648 4294967295"));
  print(p, static_cast<int64_t>(-9223372036854775807LL - 1), ' ', static_cast<uint64_t>(18446744073709551615ULL));
  CHECK(p.is("-9223372036854775808 18446744073709551615"));
  print(p, 0, true, false, 10L, 100ULL);
  CHECK(p.is("01010100"));
}

TEST_CASE("a width fills decimals with spaces and hexadecimals with zeros, and cuts nothing") {
  page p;
  print(p, decimal(42).wide(5), '|', decimal(-42).wide(5), '|', decimal(123456L).wide(3));
  CHECK(p.is("   42|  -42|123456"));
  print(p, hexadecimal(0xbeefu), ' ', hexadecimal(static_cast<uint8_t>(10)).wide(2), ' ', hexadecimal(0x1234u).wide(2));
  CHECK(p.is("beef 0a 1234"));
  print(p, hexadecimal(static_cast<int8_t>(-1)), ' ', hexadecimal(static_cast<int16_t>(-2)), ' ',
        hexadecimal(static_cast<int32_t>(-3)), ' ', hexadecimal(static_cast<int64_t>(-4)));
  CHECK(p.is("ff fffe fffffffd fffffffffffffffc"));
}

TEST_CASE("a fixed point stands before the last digits, behind a zero where there is no other") {
  page p;
  print(p, decimal(215).fixed(1), ' ', decimal(5).fixed(2), ' ', decimal(-5).fixed(2), ' ', decimal(0).fixed(1));
  CHECK(p.is("21.5 0.05 -0.05 0.0"));
  print(p, decimal(-1234).fixed(3).wide(8), '|', decimal(100000L).fixed(5).wide(4));
  CHECK(p.is("  -1.234|1.00000"));
}

TEST_CASE("a type of one's own says how it is printed, and a sink may be made for one line") {
  page p;
  print(p, celsius{-7}, ", ", celsius{215});
  CHECK(p.is("-0.7 C, 21.5 C"));
  struct counting {
    void put(char) { ++*count; }
    uint8_t* count;
  };
  uint8_t count = 0;
  print(counting{&count}, "four");
  CHECK_EQ(count, 4);
}
