// SPDX-License-Identifier: MIT
#include <baton/devices/fakes.hpp>
#include <baton/devices/line_reader.hpp>
#include <baton/sim/script.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>

using namespace baton;

namespace {

using uart = devices::fake_uart<0, 32, 128>;
constexpr uint8_t longest = 12;

struct shell : devices::line_reader<shell, uart, longest> {
  void on_line(const char* text, uint8_t length) {
    ++lines;
    last_length = length;
    for (uint8_t i = 0; i <= length; ++i) last[i] = text[i];
  }
  bool last_is(const char* text) const {
    uint8_t i = 0;
    for (; text[i]; ++i) {
      if (last[i] != text[i]) return false;
    }
    return !last[i] && last_length == i;
  }

  uint32_t lines = 0;
  uint8_t last_length = 0;
  char last[longest + 1] = {};
};

struct rig {
  rig() {
    uart::reset();
    reader.start();
    scheduler::run();
  }

  /// Lets the text come in, byte by byte, with a run after each.
  void type(const char* text) {
    for (; *text; ++text) {
      uart::feed(static_cast<uint8_t>(*text));
      scheduler::run();
    }
  }

  shell reader;
};

/// Compares what was sent since the last call.
bool echoed(const char* expected) {
  const char* sent = uart::text();
  while (*expected && *expected == *sent) ++expected, ++sent;
  uart::forget();
  return !*expected && !*sent;
}

}  // namespace

TEST_CASE("a line is echoed and delivered without its end") {
  rig r;
  r.type("hello");
  CHECK(echoed("hello"));
  CHECK_EQ(r.reader.lines, 0);
  r.type("\r");
  CHECK(echoed("\r\n"));
  CHECK_EQ(r.reader.lines, 1);
  CHECK(r.reader.last_is("hello"));
}

TEST_CASE("CR, LF and CR LF end one line each, and empty lines count") {
  rig r;
  r.type("a\rb\nc\r\n");
  CHECK_EQ(r.reader.lines, 3);
  CHECK(r.reader.last_is("c"));
  r.type("\n");
  CHECK_EQ(r.reader.lines, 4);
  CHECK(r.reader.last_is(""));
  r.type("\r\r\n\n");
  CHECK_EQ(r.reader.lines, 7);
}

TEST_CASE("backspace and DEL take characters back, and stop at the start of the line") {
  rig r;
  r.type("ab\b\x7f\b\bcd\b\n");
  CHECK(r.reader.last_is("c"));
  CHECK(echoed("ab\b \b\b \bcd\b \b\r\n"));
}

TEST_CASE("control characters are neither echoed nor stored") {
  rig r;
  r.type("a\x01\x1b\tb\n");
  CHECK(r.reader.last_is("ab"));
  CHECK(echoed("ab\r\n"));
}

TEST_CASE("a line of the greatest length is delivered, a longer one is refused as a whole and counted") {
  rig r;
  r.type("123456789012\n");
  CHECK(r.reader.last_is("123456789012"));
  CHECK(echoed("123456789012\r\n"));
  r.type("1234567890123\b\bxyz\n");
  CHECK_EQ(r.reader.lines, 1);
  CHECK_EQ(r.reader.overlong(), 1);
  CHECK(echoed("123456789012\r\n"));
  r.type("next\n");
  CHECK(r.reader.last_is("next"));
  CHECK_EQ(r.reader.overlong(), 1);
}

TEST_CASE("a line of a megabyte is one refused line") {
  rig r;
  const uint32_t bytes = test::is_small_target ? 5000 : 1048576;
  for (uint32_t i = 0; i < bytes; ++i) {
    uart::feed(static_cast<uint8_t>('a' + i % 26));
    scheduler::run();
  }
  r.type("\nafter\n");
  CHECK_EQ(r.reader.overlong(), 1);
  CHECK_EQ(r.reader.damaged(), 0);
  CHECK_EQ(r.reader.lines, 1);
  CHECK(r.reader.last_is("after"));
}

TEST_CASE("a line of which bytes were lost is refused and counted") {
  rig r;
  r.type("good\n");
  uart::feed('b');
  for (uint8_t i = 0; i < 60; ++i) uart::feed('a');  // the store holds 32
  uart::feed('\n');                                  // comes after the loss, and is lost, too
  scheduler::run();
  CHECK_EQ(r.reader.lines, 1);
  r.type("rest\n");
  CHECK_EQ(r.reader.lines, 1);
  CHECK_EQ(r.reader.damaged(), 1);
  CHECK_EQ(r.reader.overlong(), 0);
  r.type("again\n");
  CHECK_EQ(r.reader.lines, 2);
  CHECK(r.reader.last_is("again"));
}

TEST_CASE("while the transmitter has no room for the echo the reader waits, and loses nothing") {
  rig r;
  uart::limit(3);
  for (const char* c = "hello\n"; *c; ++c) uart::feed(static_cast<uint8_t>(*c));
  scheduler::run();
  CHECK_EQ(uart::sent(), 3);
  CHECK_EQ(r.reader.lines, 0);
  for (uint8_t i = 0; i < 20; ++i) {
    uart::drain(1);
    scheduler::run();
  }
  CHECK(r.reader.last_is("hello"));
  CHECK(echoed("hello\r\n"));
}

TEST_CASE("random bytes agree with a model") {
  rig r;
  test::random random(11);
  char model[longest] = {};
  uint8_t length = 0;
  bool refused = false, after_return = false;
  uint32_t lines = 0;
  uint16_t overlong = 0;
  const char alphabet[] = "abcdefgh\r\n\b\x7f\x01";
  for (uint32_t round = 0; round < (test::is_small_target ? 2000 : 200000); ++round) {
    const char c = alphabet[random.below(sizeof alphabet - 1)];
    const char text[] = {c, 0};
    r.type(text);
    uart::forget();
    if (c == '\r' || (c == '\n' && !after_return)) {
      if (refused) ++overlong;
      if (!refused) {
        ++lines;
        CHECK_WITH(r.reader.last_length == length, round);
        for (uint8_t i = 0; i < length; ++i) CHECK_WITH(r.reader.last[i] == model[i], round);
      }
      length = 0;
      refused = false;
    } else if (!refused && (c == '\b' || c == '\x7f')) {
      if (length) --length;
    } else if (!refused && c >= 'a') {
      if (length == longest) {
        refused = true;
      } else {
        model[length++] = c;
      }
    }
    after_return = c == '\r';
    CHECK_WITH(r.reader.lines == lines && r.reader.overlong() == overlong, round);
  }
}
