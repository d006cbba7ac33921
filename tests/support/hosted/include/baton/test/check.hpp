// SPDX-License-Identifier: MIT
#pragma once

#define DOCTEST_CONFIG_NO_SHORT_MACRO_NAMES
#include <doctest/doctest.h>

#include <baton/test/fresh.hpp>
#include <stdint.h>
#include <string>

/// The harness on a host: doctest, with the interface that a device's harness has, too.
namespace baton {
namespace test {

constexpr bool is_small_target = false;

using flash_text = const char*;
inline char read_flash(flash_text p) {
  return *p;
}

/// The exception that the program's `baton_require_failed` throws.
struct requirement_failed {
  uint16_t id;
};

struct fresh {
  fresh() {
    start_fresh();
    // A program remembers for ever which features it uses, so that link-time optimization may drop
    // the rest. Each test case is a program in this respect.
    domain::has_strays() = false;
    select_is_used() = false;
    timers::are_used() = false;
    isr_signal::are_used() = false;
    isr_channel_base::deliver_by().all = nullptr;
  }
};

struct string_sink {
  void put(char c) { text += c; }
  std::string text;
};

/// Returns the text that `source` prints.
template <typename Printer>
std::string text_of(Printer& source) {
  string_sink sink;
  source.print(sink);
  source.clear();
  return sink.text;
}

}  // namespace test
}  // namespace baton

#define BATON_TEST_TEXT(literal) (literal)

#define TEST_CASE(name) DOCTEST_TEST_CASE_FIXTURE(::baton::test::fresh, name)
#define CHECK(...) DOCTEST_CHECK(__VA_ARGS__)
#define CHECK_EQ(...) DOCTEST_CHECK_EQ(__VA_ARGS__)

/// A check of many rounds: prints `number` (a seed, a round) if it fails.
#define CHECK_WITH(condition, number)            \
  do {                                           \
    DOCTEST_INFO("with " << uint64_t(number));   \
    DOCTEST_CHECK(static_cast<bool>(condition)); \
  } while (0)

/// The statement must break BATON_REQUIRE `expected`. Without exceptions the statement is not
/// executed, because a broken requirement does not return.
#ifdef __cpp_exceptions
#define CHECK_TRAPS(expected, ...)                                                          \
  do {                                                                                      \
    uint16_t baton_test_id = 0;                                                             \
    try {                                                                                   \
      __VA_ARGS__;                                                                          \
    } catch (const ::baton::test::requirement_failed& broken) {                             \
      baton_test_id = broken.id;                                                            \
    }                                                                                       \
    ::baton::domain::running() = false;                                                     \
    DOCTEST_CHECK_EQ(baton_test_id, static_cast<uint16_t>(::baton::requirement::expected)); \
  } while (0)
#else
#define CHECK_TRAPS(expected, ...) static_cast<void>(0)
#endif

#define BATON_TEST_CHECK_SAME_TEXT(actual, literal) BATON_TEST_CHECK_SAME(actual, literal)
#define BATON_TEST_CHECK_TRACE(expected) \
  BATON_TEST_CHECK_SAME(::baton::test::text_of(::baton::test::recorder::get()), expected)

/// Prints both texts on lines of their own, so that a trace can be read, and copied.
#define BATON_TEST_CHECK_SAME(actual, literal)                                                                  \
  do {                                                                                                          \
    const std::string baton_test_was = actual;                                                                  \
    const char* const baton_test_expected = literal;                                                            \
    bool baton_test_is_same = baton_test_was == baton_test_expected;                                            \
    DOCTEST_CHECK_MESSAGE(baton_test_is_same, "expected ", baton_test_expected, "\nwas      ", baton_test_was); \
  } while (0)
