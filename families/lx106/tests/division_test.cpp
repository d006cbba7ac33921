// SPDX-License-Identifier: MIT
//
// Compares division.c with the compiler, which computes every expected value on the machine that it
// runs on: all pairs of borderline numbers, and random numbers of every length.
#include <baton/test/check.hpp>
#include <stdint.h>

namespace {

constexpr uint64_t borderline[] = {0,
                                   1,
                                   2,
                                   3,
                                   5,
                                   10,
                                   0xff,
                                   0xffff,
                                   0x10000,
                                   0x10001,
                                   0x7fffffff,
                                   0x80000000,
                                   0x80000001,
                                   0xffffffff,
                                   0x100000000,
                                   0x100000001,
                                   0xfffffffeffffffff,
                                   0x7fffffffffffffff,
                                   0x8000000000000000,
                                   0x8000000000000001,
                                   0xffffffffffffffff};
constexpr uint16_t borderlines = sizeof borderline / sizeof *borderline;
constexpr uint16_t pairs = borderlines * borderlines;
constexpr uint16_t rows = pairs + 600;

/// Splitmix64, shifted to a length of any number of bits. (Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators)
constexpr uint64_t random(uint32_t n) {
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return z >> (z & 63);
}

constexpr uint64_t left_of(uint16_t row) {
  return row < pairs ? borderline[row / borderlines] : random(2u * row);
}

/// Returns a divisor, which is never zero.
constexpr uint64_t right_of(uint16_t row) {
  const uint64_t right = row < pairs ? borderline[row % borderlines] : random(2u * row + 1);
  return static_cast<uint32_t>(right) ? right : right | 1;
}

struct row {
  uint64_t left, right;
  uint64_t product, quotient, remainder;
  int64_t signed_quotient, signed_remainder;
  uint64_t product_of_words;
  uint32_t short_quotient, short_remainder;
  int32_t short_signed_quotient, short_signed_remainder;
  bool overflows, short_overflows;  // the smallest number divided by -1
};

constexpr row row_of(uint64_t left, uint64_t right) {
  row r{};
  r.left = left;
  r.right = right;
  r.product = left * right;
  r.quotient = left / right;
  r.remainder = left % right;
  const int64_t sl = static_cast<int64_t>(left), sr = static_cast<int64_t>(right);
  r.overflows = sl == INT64_MIN && sr == -1;
  r.signed_quotient = r.overflows ? 0 : sl / sr;
  r.signed_remainder = r.overflows ? 0 : sl % sr;
  const uint32_t ul = static_cast<uint32_t>(left), ur = static_cast<uint32_t>(right);
  r.product_of_words = static_cast<uint64_t>(ul) * ur;
  r.short_quotient = ul / ur;
  r.short_remainder = ul % ur;
  const int32_t il = static_cast<int32_t>(left), ir = static_cast<int32_t>(right);
  r.short_overflows = il == INT32_MIN && ir == -1;
  r.short_signed_quotient = r.short_overflows ? 0 : il / ir;
  r.short_signed_remainder = r.short_overflows ? 0 : il % ir;
  return r;
}

struct table {
  row at[rows];
};

constexpr table make_table() {
  table t{};
  for (uint16_t n = 0; n < rows; ++n) t.at[n] = row_of(left_of(n), right_of(n));
  return t;
}

constexpr table expected = make_table();

/// Returns `value` so that the compiler does not know it.
template <typename T>
T hidden(T value) {
  __asm__ volatile("" : "+m"(value));
  return value;
}

template <typename Check>
void check_rows(Check is_right) {
  for (uint16_t n = 0; n < rows; ++n) CHECK_WITH(is_right(expected.at[n]), n);
}

}  // namespace

TEST_CASE("unsigned words divide") {
  check_rows([](const row& r) {
    const uint32_t left = hidden(static_cast<uint32_t>(r.left)), right = hidden(static_cast<uint32_t>(r.right));
    return left / right == r.short_quotient && left % right == r.short_remainder;
  });
}

TEST_CASE("signed words divide towards zero") {
  check_rows([](const row& r) {
    const int32_t left = hidden(static_cast<int32_t>(r.left)), right = hidden(static_cast<int32_t>(r.right));
    return r.short_overflows || (left / right == r.short_signed_quotient && left % right == r.short_signed_remainder);
  });
}

TEST_CASE("unsigned double words divide") {
  check_rows([](const row& r) {
    const uint64_t left = hidden(r.left), right = hidden(r.right);
    return left / right == r.quotient && left % right == r.remainder;
  });
}

TEST_CASE("signed double words divide towards zero") {
  check_rows([](const row& r) {
    const int64_t left = hidden(static_cast<int64_t>(r.left)), right = hidden(static_cast<int64_t>(r.right));
    return r.overflows || (left / right == r.signed_quotient && left % right == r.signed_remainder);
  });
}

TEST_CASE("double words multiply") {
  check_rows([](const row& r) { return hidden(r.left) * hidden(r.right) == r.product; });
}

TEST_CASE("words multiply to double words") {
  check_rows([](const row& r) {
    const uint32_t left = hidden(static_cast<uint32_t>(r.left)), right = hidden(static_cast<uint32_t>(r.right));
    return static_cast<uint64_t>(left) * right == r.product_of_words;
  });
}
