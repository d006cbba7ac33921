// SPDX-License-Identifier: MIT
#pragma once

#include <baton/test/fresh.hpp>
#include <baton/test/means.hpp>
#include <stdint.h>

/// The harness on a device: the interface of the host's harness, names in flash, a page of code in
/// cases.cpp.
namespace baton {
namespace test {

constexpr bool is_small_target = true;

/// A test case, which registers itself; cases run in the order of the source.
struct test_case {
  test_case(void (*body)(), flash_text called, flash_text in_file);

  void (*run)();
  flash_text name;
  flash_text file;
  test_case* next = nullptr;
};

/// Prints the line and fails the running case unless `good`.
void check(bool good, uint16_t line);
void check_equal(int32_t left, int32_t right, uint16_t line);
/// The number that a check compares and prints. A duration is its ticks.
template <typename T>
int32_t number_of(T value) {
  return static_cast<int32_t>(value);
}
inline int32_t number_of(duration d) {
  return static_cast<int32_t>(d.ticks());
}
void check_with(bool good, uint32_t number, uint16_t line);
void check_text(const char* actual, flash_text expected, uint16_t line);

/// The target to which a broken BATON_REQUIRE jumps, while a check expects one.
struct trap {
  jump_target resume;
  volatile bool is_set;
  volatile uint16_t id;
};
trap& expected_trap();

/// The functions that main.cpp needs.
[[noreturn]] void requirement_broken(uint16_t id);
[[noreturn]] void run_cases();

/// Compares the characters that it gets with characters in flash.
struct comparing_sink {
  void put(char c) {
    if (c != read_flash(expected)) differs = true;
    if (!differs) ++expected;
  }
  bool is_same() const { return !differs && !read_flash(expected); }

  flash_text expected;
  bool differs = false;
};

struct console_sink {
  void put(char c);
};

void say_expected(flash_text expected);

template <typename Printer>
void check_printed(Printer& source, flash_text expected, uint16_t line) {
  comparing_sink same{expected};
  source.print(same);
  check(same.is_same(), line);
  if (!same.is_same()) {
    say_expected(expected);
    console_sink console;
    source.print(console);
    console.put('\n');
  }
  source.clear();
}

}  // namespace test
}  // namespace baton

static const char baton_test_file[] BATON_TEST_FLASH = __BASE_FILE__;

#define TEST_CASE(name) BATON_TEST_CASE(name, __COUNTER__)
#define BATON_TEST_CASE(name, n) BATON_TEST_CASE_OF(name, n)
#define BATON_TEST_CASE_OF(name, n)                                                                               \
  static void baton_test_body_##n();                                                                              \
  static const char baton_test_name_##n[] BATON_TEST_FLASH = name;                                                \
  static ::baton::test::test_case baton_test_case_##n(baton_test_body_##n, baton_test_name_##n, baton_test_file); \
  static void baton_test_body_##n()

#define CHECK(...) ::baton::test::check(static_cast<bool>(__VA_ARGS__), __LINE__)
#define CHECK_EQ(left, right) \
  ::baton::test::check_equal(::baton::test::number_of(left), ::baton::test::number_of(right), __LINE__)
#define CHECK_WITH(condition, number) ::baton::test::check_with(condition, static_cast<uint32_t>(number), __LINE__)

#define CHECK_TRAPS(expected, ...)                                                       \
  do {                                                                                   \
    ::baton::test::trap& baton_test_trap = ::baton::test::expected_trap();               \
    baton_test_trap.id = 0;                                                              \
    baton_test_trap.is_set = true;                                                       \
    if (BATON_TEST_SET_JUMP(baton_test_trap.resume) == 0) {                              \
      __VA_ARGS__;                                                                       \
    }                                                                                    \
    baton_test_trap.is_set = false;                                                      \
    ::baton::domain::running() = false;                                                  \
    CHECK_EQ(baton_test_trap.id, static_cast<uint16_t>(::baton::requirement::expected)); \
  } while (0)

#define BATON_TEST_CHECK_SAME_TEXT(actual, literal) \
  ::baton::test::check_text(actual, BATON_TEST_TEXT(literal), __LINE__)
#define BATON_TEST_CHECK_TRACE(expected) \
  ::baton::test::check_printed(::baton::test::recorder::get(), BATON_TEST_TEXT(expected), __LINE__)
