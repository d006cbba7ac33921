// SPDX-License-Identifier: MIT
//
// A whole kernel program, the same on Linux and on every board: a clock server, a serial server
// with its notifier and its transmitter, and three tasks of three priorities. No tick is late
// because another task works; no key is lost because another task prints.
#include <baton/board.hpp>
#include <baton/board_serial.hpp>
#include <baton/kernel.hpp>
#include <baton/kernel/servers/clock_server.hpp>
#include <baton/kernel/servers/serial_server.hpp>

#include "../support/tasks.hpp"

using namespace baton::literals;

/// The board's UART, in the form that the serial server needs.
struct uart {
  static void listen(void (*on_byte)(uint8_t)) { baton::board::serial_in::listen(on_byte); }
  static void put(uint8_t byte) { baton::board::console::put(static_cast<char>(byte)); }
};

constexpr uint8_t byte_has_come = 0;  // number of the interrupt event

BATON_KERNEL_MEMORY kernel::system<8> program;
using line_server = kernel::serial_server<uart>;
kernel::clock_server<4> the_clock{program};
line_server the_line{program, byte_has_come};

BATON_KERNEL_MEMORY task_stack clock_stack, ticker_stack, echo_stack, worker_stack;
BATON_KERNEL_MEMORY line_server::stacks<sizeof(task_stack)> line_stacks;
kernel::clock ticks{kernel::no_task};
kernel::serial line{kernel::no_task};

/// Writes a line in one message, so that no other task's line is mixed into it.
void print(const char* text, const char* more = "", uint8_t more_length = 0) {
  char all[kernel::serial_chunk * 2];
  uint8_t length = 0;
  while (*text) all[length++] = *text++;
  for (uint8_t i = 0; i < more_length && length < sizeof all - 2; ++i) all[length++] = more[i];
  all[length++] = '\r';
  all[length++] = '\n';
  line.write(all, length);
}

/// Runs every 200 ms, with the highest priority of the three.
void tick(void*) {
  uint64_t due = 0;
  ticks.time(due);
  for (char count = '1'; count <= '6'; ++count) {
    due += (200_ms).ticks();
    ticks.delay_until(due);
    print("tick ", &count, 1);
  }
}

/// Collects a line, and prints it.
void echo(void*) {
  char text[24];
  uint8_t length = 0;
  char byte = 0;
  while (line.read(&byte, 1) && byte != '!') {
    if (byte != '\n') {
      text[length++] = byte;
    } else {
      print("you said ", text, length);
      length = 0;
    }
    if (length == sizeof text) length = 0;
  }
  const kernel::ipc_result nothing = line.read(&byte, 1, 200_ms);  // the last tick is printed meanwhile
  print(nothing.why() == kernel::error::timed_out ? "nothing more" : "something else");
  kernel::serial_counts c = {};
  line.counts(c);
  print(c.lost == 0 ? "no byte was lost" : "bytes were lost");
}

/// Works for half of the time, with the lowest priority, and prints how idle the program was.
void work(void*) {
  kernel::clock_reading from, to;
  ticks.read(from);
  for (uint8_t i = 0; i < 15; ++i) {
    for (uint8_t busy = 0; busy < 50; ++busy) work_a_millisecond();
    ticks.delay(50_ms);
  }
  ticks.read(to);
  const uint16_t idle = kernel::idle_permille(from, to);
  print(idle > 100 && idle < 900 ? "idle for a part of the time" : "always idle, or never");
  ticks.delay(100_ms);  // until everything is sent
  program.stop();
}

int main() {
  baton::board::start();
  ticks = kernel::clock(program.create(the_clock.describe(7, clock_stack)).id);
  line = kernel::serial(the_line.create(program, 6, 1, line_stacks).id);
  program.create(kernel::describe(4, tick, ticker_stack, "tick"));
  program.create(kernel::describe(3, echo, echo_stack, "echo"));
  program.create(kernel::describe_privileged(0, work, worker_stack, "work"));
  program.run();
  baton::board::finish(0);
}
