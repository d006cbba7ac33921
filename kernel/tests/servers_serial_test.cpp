// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <baton/kernel/servers/serial_server.hpp>
#include <random>

using namespace baton;
using kernel::error;
using test::ms;

namespace {

constexpr uint8_t received_event = 0;
constexpr uint8_t sent_event = 1;

/// A virtual UART: it sends a byte in a millisecond, and then raises an interrupt.
struct uart {
  static void (*handler)(uint8_t);
  static kernel::kernel_state* system;
  static std::string line;
  static std::unique_ptr<test::interrupt> sent;

  static void listen(void (*on_byte)(uint8_t)) { handler = on_byte; }

  static void put(uint8_t byte) {
    sent.reset(new test::interrupt(port::now() + ms(1), [byte] {
      line += static_cast<char>(byte);
      kernel::from_interrupt::raise_event(*system, sent_event);
    }));
    kernel::wait_interrupt_event(sent_event);
  }
};
void (*uart::handler)(uint8_t);
kernel::kernel_state* uart::system;
std::string uart::line;
std::unique_ptr<test::interrupt> uart::sent;

template <uint8_t Received = 16, uint8_t ToSend = 16, uint8_t Waiters = 2, uint8_t InInterrupt = 8>
struct serial_program : test::program {
  using server_type = kernel::serial_server<uart, Received, ToSend, Waiters, InInterrupt>;

  serial_program() {
    uart::system = &system;
    uart::line.clear();
    CHECK(server.create(system, 7, 1, stacks));
  }
  ~serial_program() { uart::sent.reset(); }

  /// Lets bytes arrive, one per millisecond.
  void types(uint32_t from_ms, const std::string& text) {
    for (char c : text)
      keys.emplace_back(new test::interrupt(ms(from_ms++), [c] { uart::handler(static_cast<uint8_t>(c)); }));
  }

  server_type server{system, received_event};
  typename server_type::template stacks<65536> stacks;
  kernel::serial line{kernel::first_task};
  std::deque<std::unique_ptr<test::interrupt>> keys;
};

std::string text_of(const char* bytes, kernel::ipc_result o) {
  return std::string(bytes, o.length());
}

}  // namespace

TEST_CASE("what is typed is read, and what is written is sent") {
  serial_program<> p;
  p.types(5, "abc");
  p.task("echo", 2, [&] {
    char got[8];
    for (int i = 0; i < 3; ++i) {
      const kernel::ipc_result o = p.line.read(got, sizeof got);
      CHECK(o);
      p.mark("read " + text_of(got, o));
      CHECK(p.line.write(got, o.length()));
    }
  });
  p.run();
  CHECK_LOG(p, "at 5 ms", "echo read a", "at 6 ms", "echo read b", "at 7 ms", "echo read c", "echo ends");
  CHECK_EQ(uart::line, "abc");
  CHECK_EQ(port::now(), ms(8));
}

TEST_CASE("a reader waits no longer than it wants to, and what comes later is for the next") {
  serial_program<> p;
  p.types(5, "x");
  p.task("reader", 2, [&] {
    char got[8];
    CHECK_EQ(p.line.read(got, sizeof got, 0_ms).why(), error::would_wait);
    CHECK_EQ(p.line.read(got, sizeof got, ms(3)).why(), error::timed_out);
    CHECK_EQ(port::now(), ms(3));
    kernel::sleep(ms(10));
    const kernel::ipc_result o = p.line.read(got, sizeof got, 0_ms);
    CHECK_EQ(text_of(got, o), "x");
    CHECK_EQ(p.line.read(got, sizeof got, 0_ms).why(), error::would_wait);
  });
  p.run();
}

TEST_CASE("a writer waits while the queue is full") {
  serial_program<> p;
  std::string text;
  for (int i = 0; i < 100; ++i) text += static_cast<char>('!' + i % 90);
  p.task("writer", 2, [&] {
    const kernel::ipc_result o = p.line.write(text.data(), text.size());
    CHECK(o);
    CHECK_EQ(o.length(), text.size());
    // 100 bytes are 7 chunks. The transmitter has one chunk, the queue another; the others have
    // been sent.
    CHECK_EQ(port::now() / ms(1), 80);
  });
  p.run();
  CHECK_EQ(uart::line, text);
  CHECK_EQ(port::now(), ms(100));
}

TEST_CASE("a write that times out has not happened, and one that cannot be done at once neither") {
  serial_program<> p;
  p.task("writer", 2, [&] {
    CHECK(p.line.write("0123456789abcdef", 16));  // for the transmitter
    CHECK(p.line.write("ABCDEFGHIJKLMNOP", 16));  // for the queue
    CHECK_EQ(p.line.write("nor this", 8, 0_ms).why(), error::would_wait);
    CHECK_EQ(p.line.write("never", 5, ms(3)).why(), error::timed_out);
    CHECK_EQ(port::now(), ms(3));
    kernel::sleep(ms(10));
    CHECK(p.line.write("!", 1, ms(50)));
    CHECK_EQ(port::now(), ms(16));
    CHECK_EQ(p.line.write("0123456789abcdef", 16, ms(2)).why(), error::timed_out);  // there is room for 15
    kernel::sleep(ms(50));  // the writer asks for nothing meanwhile
  });
  p.run();
  CHECK_EQ(uart::line, "0123456789abcdefABCDEFGHIJKLMNOP!");
}

TEST_CASE("what comes while nobody reads is stored, then counted as lost") {
  serial_program<> p;
  std::string text = "0123456789abcdefghijklmnopqrstuvwxyz";
  p.types(1, text);
  p.task("reader", 2, [&] {
    kernel::sleep(ms(50));
    std::string all;
    char got[16];
    for (kernel::ipc_result o; (o = p.line.read(got, sizeof got, ms(1))); all += text_of(got, o)) {
    }
    kernel::serial_counts c = {};
    CHECK(p.line.counts(c));
    // 16 bytes are in the queue, one is with the notifier, 8 are in the interrupt's ring.
    CHECK_EQ(all, text.substr(0, 25));
    CHECK_EQ(c.received, 25);
    CHECK_EQ(c.lost, text.size() - 25);
    CHECK_EQ(c.sent, 0);
  });
  p.run();
}

TEST_CASE("readers and writers are served in order, and too many is an error") {
  serial_program<> p;
  p.types(5, "ab");
  const kernel::tid victim = p.task("victim", 4, [&] {
    char got;
    p.line.read(&got, 1);
  });
  p.task("second", 3, [&] {
    char got = 0;
    CHECK(p.line.read(&got, 1));
    CHECK_EQ(got, 'a');
  });
  p.task("third", 2, [&] {
    char got = 0;
    CHECK_EQ(p.line.read(&got, 1).why(), error::table_full);
    CHECK(kernel::kill(victim));
    CHECK(p.line.read(&got, 1));  // the victim's slot
    CHECK_EQ(got, 'b');
    p.mark("done");
  });
  p.run();
  CHECK_LOG(p, "at 5 ms", "second ends", "at 6 ms", "third done", "third ends");
}

TEST_CASE("bad requests are refused, and the server goes on") {
  serial_program<> p;
  p.types(2, "k");
  p.task("task", 2, [&] {
    char got[4];
    CHECK_EQ(p.line.write(nullptr, 3).why(), error::bad_buffer);
    CHECK_EQ(p.line.write("x", kernel::longest_message + 1).why(), error::bad_buffer);
    CHECK_EQ(p.line.read(nullptr, 4).why(), error::bad_buffer);
    CHECK_EQ(p.line.read(got, 0).why(), error::bad_buffer);
    kernel::serial_reply a = {};
    CHECK(kernel::send(kernel::first_task, "x", 1, &a, sizeof a));
    CHECK_EQ(a.why, error::bad_call);
    for (kernel::serial_call c : {kernel::serial_call::received, kernel::serial_call::to_send}) {
      CHECK(kernel::call(kernel::first_task, kernel::serial_request{c, 1, {}}, a));
      CHECK_EQ(a.why, error::no_right);
    }
    CHECK(kernel::call(kernel::first_task, kernel::serial_request{kernel::serial_call::write, 17, {}}, a));
    CHECK_EQ(a.why, error::bad_call);
    CHECK_EQ(p.line.read(got, 4).length(), 1);
  });
  p.run();
  CHECK_EQ(uart::line, "");
}

TEST_CASE("random lines, random readers and writers: every byte is read once or counted") {
  serial_program<32, 32, 2, 8> p;
  std::mt19937 random(815);
  std::string typed, read, written;
  for (int i = 0; i < 2000; ++i) typed += static_cast<char>('a' + random() % 26);
  uint32_t at = 1;
  for (char c : typed) {
    p.keys.emplace_back(new test::interrupt(ms(at) / 4, [c] { uart::handler(static_cast<uint8_t>(c)); }));
    at += 1 + random() % 3;
  }
  bool is_over = false;
  p.task("reader", 3, [&] {
    char got[16];
    while (!is_over) {
      const kernel::ipc_result o = p.line.read(got, 1 + random() % 16, ticks(1 + random() % ms(2)));
      read += text_of(got, o);
      if (random() % 16 == 0) kernel::sleep(ticks(random() % ms(60)));
      is_over = port::now() > ms(at) / 4 + ms(50) && !o;
    }
  });
  p.task("writer", 2, [&] {
    while (!is_over) {
      const std::string some(1 + random() % 40, static_cast<char>('A' + random() % 26));
      const kernel::ipc_result o = p.line.write(some.data(), some.size(), ticks(1 + random() % ms(30)));
      written += some.substr(0, o.length());
      kernel::serial_counts c = {};
      CHECK(p.line.counts(c));
      if (random() % 8 == 0) kernel::sleep(ticks(random() % ms(100)));
    }
    kernel::serial_counts c = {};
    CHECK(p.line.counts(c));
    CHECK_EQ(c.received, read.size());
    CHECK_EQ(c.received + c.lost, typed.size());
    CHECK(c.lost > 0);
    CHECK(c.received > 500);
  });
  p.run();
  CHECK_EQ(uart::line, written);
  CHECK(written.size() > 200);
}
