// SPDX-License-Identifier: MIT
#include <baton/board.hpp>
#include <baton/test/check.hpp>

namespace baton {
namespace test {

namespace {

test_case* first_case;
test_case** last_link = &first_case;
test_case* running_case;
bool has_failed;
bool has_checked;

void say(flash_text text) {
  for (char c; (c = read_flash(text)) != 0; ++text) board::console::put(c);
}

void say_number(int32_t n) {
  if (n < 0) board::console::put('-');
  uint32_t left = n < 0 ? -static_cast<uint32_t>(n) : static_cast<uint32_t>(n);
  char digits[10];
  uint8_t used = 0;
  do {
    digits[used++] = static_cast<char>('0' + left % 10);
    left /= 10;
  } while (left);
  while (used) board::console::put(digits[--used]);
}

void say_file(flash_text path) {
  flash_text name = path;
  for (char c; (c = read_flash(path)) != 0; ++path) {
    if (c == '/') name = path + 1;
  }
  say(name);
}

void say_case() {
  if (has_failed) return;  // names the case once
  has_failed = true;
  say(running_case->name);
}

void say_failure(uint16_t line) {
  say_case();
  say(BATON_TEST_TEXT("\n  FAILED "));
  say_file(running_case->file);
  board::console::put(':');
  say_number(line);
  board::console::put('\n');
}

[[noreturn]] void say_verdict(uint16_t passed, uint16_t failed) {
  say_number(passed);
  say(BATON_TEST_TEXT(" passed, "));
  say_number(failed);
  say(BATON_TEST_TEXT(" failed\n"));
  board::finish(passed && !failed && has_checked ? 0 : 1);
}

}  // namespace

test_case::test_case(void (*body)(), flash_text called, flash_text in_file) : run(body), name(called), file(in_file) {
  if (!first_case) last_link = &first_case;
  *last_link = this;
  last_link = &next;
}

void check(bool good, uint16_t line) {
  has_checked = true;
  if (!good) say_failure(line);
}

void check_equal(int32_t left, int32_t right, uint16_t line) {
  check(left == right, line);
  if (left == right) return;
  say(BATON_TEST_TEXT("    "));
  say_number(left);
  say(BATON_TEST_TEXT(" is not "));
  say_number(right);
  board::console::put('\n');
}

void check_with(bool good, uint32_t number, uint16_t line) {
  check(good, line);
  if (good) return;
  say(BATON_TEST_TEXT("    with "));
  say_number(static_cast<int32_t>(number));
  board::console::put('\n');
}

void say_expected(flash_text expected) {
  say(BATON_TEST_TEXT("    expected "));
  say(expected);
  say(BATON_TEST_TEXT("\n    was      "));
}

void check_text(const char* actual, flash_text expected, uint16_t line) {
  comparing_sink same{expected};
  for (const char* p = actual; *p; ++p) same.put(*p);
  check(same.is_same(), line);
  if (same.is_same()) return;
  say_expected(expected);
  while (*actual) board::console::put(*actual++);
  board::console::put('\n');
}

trap& expected_trap() {
  static trap instance;
  return instance;
}

void console_sink::put(char c) {
  board::console::put(c);
}

void requirement_broken(uint16_t id) {
  trap& expected = expected_trap();
  if (expected.is_set) {
    expected.id = id;
    BATON_TEST_JUMP(expected.resume);
  }
  say_failure(0);
  say(BATON_TEST_TEXT("    requirement "));
  say_number(id);
  say(BATON_TEST_TEXT(" does not hold; the cases after this one did not run\n"));
  say_verdict(0, 1);
}

void run_cases() {
  board::start();
  uint16_t passed = 0;
  uint16_t failed = 0;
  for (test_case* c = first_case; c; c = c->next) {
    start_fresh();
    running_case = c;
    has_failed = false;
    c->run();
    if (has_failed) {
      ++failed;
      continue;
    }
    ++passed;
    say(c->name);
    say(BATON_TEST_TEXT(" ok\n"));
  }
  say_verdict(passed, failed);
}

}  // namespace test
}  // namespace baton
