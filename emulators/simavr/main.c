// SPDX-License-Identifier: MIT
//
// Runs an AVR program in libsimavr and reports in frames on standard output what it does.
// emulators/runner/framed.py describes the frames, and emulators/run starts this program.
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "options.h"
#include "pace.h"
#include "pins.h"
#include "pty.h"

enum { exit_limit = 124, exit_crashed = 125 };

// Between the two marks of an empty interval, the `ldi` and the `out` of the second mark come after
// the stamp of the first.
enum { empty_interval_cycles = 2 };

// Data addresses, the same on every megaAVR (data sheets, "Register Summary").
enum { gpior1 = 0x4a, gpior2 = 0x4b, spl = 0x5d, sph = 0x5e };

enum { longest_line = 4096, steps_between_looks = 1 << 16, steps_between_gets = 1 << 10 };

static struct {
  const char* state;  // how the run ended; null while it runs
  int exit_code;
  char why[256];
  char line[longest_line];
  size_t length;
  uint64_t lines, lines_wanted;
  uint64_t interval_start;
  bool in_interval;
  uint16_t stack, lowest_stack, data_end;
  avr_irq_t* receiver;
  uint64_t byte_cycles;
  bool pty;
  bool is_timed;  // a script needs the times of bytes and levels
  uint64_t hz;
  const avr_t* avr;
  uint8_t typed[64];
  struct send typing;  // the bytes that the reader of the pseudo-terminal has written
} run;

static void end(const char* state, int exit_code, const char* why, unsigned long where) {
  if (run.state) return;
  run.state = state;
  run.exit_code = exit_code;
  if (why) snprintf(run.why, sizeof run.why, "%s 0x%lx", why, where);
}

// Reports the last frame of a run that never began. `what` comes from a file of the tree and needs
// no escapes.
static int refuse(const char* what, const char* why) {
  printf("end {\"state\": \"refused\", \"exit\": 2, \"why\": \"%s: %s\"}\n", what, why);
  return 2;
}

// ---- Console ----

static void flush_line(void) {
  if (!run.length) return;
  printf("text %zu\n", run.length);
  fwrite(run.line, 1, run.length, stdout);
  fflush(stdout);
  run.length = 0;
}

// Reports the time of the frames that follow.
static void stamp(void) {
  const double seconds = (double)run.avr->cycle / (double)run.hz;
  printf("at %.0f\n", seconds * 1e9);
}

static void on_output(struct avr_irq_t* irq, uint32_t value, void* param) {
  (void)irq, (void)param;
  if (run.state) return;
  if (run.pty) {
    if (!pty_put((uint8_t)value)) end("closed", 0, NULL, 0);
    if (value == '\n' && ++run.lines == run.lines_wanted) end("lines", 0, NULL, 0);
    return;
  }
  run.line[run.length++] = (char)value;
  if (run.is_timed) stamp();
  if (value != '\n' && !run.is_timed && run.length < longest_line) return;
  flush_line();
  if (value == '\n' && ++run.lines == run.lines_wanted) end("lines", 0, NULL, 0);
}

static avr_cycle_count_t on_send(struct avr_t* avr, avr_cycle_count_t when, void* param) {
  (void)avr;
  struct send* send = param;
  avr_raise_irq(run.receiver, *send->bytes++);
  return --send->count ? when + run.byte_cycles : 0;
}

// Feeds the receiver the bytes that the reader of the pseudo-terminal has written, one byte time
// apart.
static void take_what_is_typed(avr_t* avr) {
  if (run.typing.count) return;
  const int count = pty_get(run.typed, sizeof run.typed);
  if (count < 0) end("closed", 0, NULL, 0);
  if (count <= 0) return;
  run.typing.bytes = run.typed;
  run.typing.count = (size_t)count;
  avr_cycle_timer_register(avr, run.byte_cycles, on_send, &run.typing);
}

// ---- Pins and the script ----

// Reports the level that a watched pin has from this cycle on.
static void on_level(const struct watch* watch) {
  if (run.state) return;
  flush_line();
  stamp();
  printf("level %c%u %u\n", watch->port, watch->number, watch->level);
  fflush(stdout);
}

static avr_cycle_count_t on_until(struct avr_t* avr, avr_cycle_count_t when, void* param) {
  (void)avr, (void)when, (void)param;
  end("script", 0, NULL, 0);
  return 0;
}

// ---- Messages of the program to the runner ----

static void on_mark(struct avr_t* avr, avr_io_addr_t address, uint8_t value, void* param) {
  (void)param;
  avr->data[address] = value;
  if (value == 1) run.interval_start = avr->cycle;
  if (value == 2 && run.in_interval) {
    const uint64_t raw = avr->cycle - run.interval_start;
    printf("interval %llu\n", (unsigned long long)(raw > empty_interval_cycles ? raw - empty_interval_cycles : 0));
  }
  if (value == 1 || value == 2) run.in_interval = value == 1;
}

static void on_exit_code(struct avr_t* avr, avr_io_addr_t address, uint8_t value, void* param) {
  (void)param;
  avr->data[address] = value;
  end("finished", value, NULL, 0);
}

// ---- Stack ----

// Tells whether the instruction at the program counter is `out` to this data address.
static bool is_out_to(const avr_t* avr, unsigned address) {
  const unsigned op = avr->flash[avr->pc] | (unsigned)avr->flash[avr->pc + 1] << 8;
  return (op & 0xf800) == 0xb800 && ((op >> 5 & 0x30) | (op & 0x0f)) + 0x20 == address;
}

// A program writes the halves of the stack pointer with two instructions, the high half first
// (avr-gcc, avr-libc); between them the pointer is invalid. The processor writes the low half
// first, in one instruction. So the pointer is read at the last write of either.
static void on_stack(struct avr_t* avr, avr_io_addr_t address, uint8_t value, void* param) {
  (void)param;
  avr->data[address] = value;
  const bool by_program = is_out_to(avr, address);
  if (by_program != (address == spl)) return;
  const uint16_t before = run.stack;
  run.stack = (uint16_t)(avr->data[spl] | avr->data[sph] << 8);
  if (run.stack < run.lowest_stack) run.lowest_stack = run.stack;
  // A push that leaves the free memory is an overflow. A program that sets the pointer there
  // intends it, for a task's own stack.
  if (!by_program && before >= run.data_end && run.stack < run.data_end) {
    end("crashed", exit_crashed, "the stack ran into the static data, called from", avr->pc);
  }
}

// ---- The run ----

static void log_errors(struct avr_t* avr, const int level, const char* format, va_list arguments) {
  (void)avr;
  if (level <= LOG_ERROR && level != LOG_OUTPUT) vfprintf(stderr, format, arguments);
}

static void sleep_without_waiting(struct avr_t* avr, avr_cycle_count_t how_long) {
  (void)avr, (void)how_long;
}

static avr_t* start(const struct options* options, elf_firmware_t* firmware) {
  avr_t* avr = avr_make_mcu_by_name(options->mcu);
  if (!avr) return NULL;
  avr_init(avr);
  avr_load_firmware(avr, firmware);
  avr->frequency = (uint32_t)options->hz;
  avr->vcc = avr->avcc = avr->aref = pins_millivolts;
  avr->sleep = sleep_without_waiting;
  avr->run_cycle_limit = 1;  // one instruction per call, so that the runner sees each
  run.stack = run.lowest_stack = avr->ramend;
  run.data_end = (uint16_t)(avr->ioend + 1 + firmware->datasize + firmware->bsssize);
  avr_register_io_write(avr, gpior1, on_mark, NULL);
  avr_register_io_write(avr, gpior2, on_exit_code, NULL);
  avr_register_io_write(avr, spl, on_stack, NULL);
  avr_register_io_write(avr, sph, on_stack, NULL);
  return avr;
}

static bool connect(avr_t* avr, struct options* options) {
  const char uart = (char)('0' + options->uart);
  avr_irq_t* output = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(uart), UART_IRQ_OUTPUT);
  if (!output) return false;
  uint32_t no_printing_no_pauses = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS(uart), &no_printing_no_pauses);
  avr_irq_register_notify(output, on_output, NULL);
  run.receiver = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(uart), UART_IRQ_INPUT);
  run.byte_cycles = options->hz * 10 / options->baud;
  for (size_t i = 0; i < options->send_count; ++i) {
    struct send* send = &options->sends[i];
    if (send->count) avr_cycle_timer_register(avr, options_cycle(options, send->at_us), on_send, send);
  }
  return true;
}

static void simulate(avr_t* avr, const struct options* options, uint32_t code_end) {
  const avr_cycle_count_t limit = options->limit_ms * options->hz / 1000;
  const time_t started = time(NULL);
  struct pace pace = pace_begin(options->pace ? options->hz : 0);
  for (uint64_t step = 1; !run.state; ++step) {
    const uint32_t before = avr->pc;
    const int state = avr_run(avr);
    if (run.state) return;
    if (state == cpu_Done) {
      end("finished", 0, NULL, 0);
    } else if (state == cpu_Crashed) {
      end("crashed", exit_crashed, "the simulator gave up at", before);
    } else if (avr->pc >= code_end) {
      end("crashed", exit_crashed, "it ran out of its code, from", before);
    } else if (avr->pc == 0) {
      end("crashed", exit_crashed, "it went back to the reset vector, from", before);
    } else if (avr->cycle >= limit) {
      end("limit", exit_limit, "end of the simulated time (--limit-ms); it was at", avr->pc);
    } else if (step % steps_between_looks == 0 && time(NULL) - started >= (time_t)options->wall_s) {
      end("limit", exit_limit, "end of the real time (--wall-s); it was at", avr->pc);
    }
    if (!run.state) pace_keep(&pace, avr->cycle);
    if (run.pty && step % steps_between_gets == 0) take_what_is_typed(avr);
  }
}

// A board that has ended stays plugged in until its reader is done with it. A board that was
// stopped or has crashed is gone as soon as its output has been read.
static void hang_up(const struct options* options) {
  if (strcmp(run.state, "finished") == 0) {
    pty_wait_for_close((unsigned)options->wall_s);
  } else if (strcmp(run.state, "closed") != 0) {
    pty_drain((unsigned)options->wall_s);
  }
}

int main(int argc, char** argv) {
  struct options options;
  elf_firmware_t firmware = {0};
  const char* wrong = options_parse(&options, argc, argv);
  if (wrong) return refuse(wrong, "not understood; emulators/run starts this program");
  avr_global_logger_set(log_errors);
  if (elf_read_firmware(options.program, &firmware) != 0 || !firmware.flashsize) {
    return refuse("the program", "not one that simavr can read");
  }
  avr_t* avr = start(&options, &firmware);
  if (!avr) return refuse(options.mcu, "no such chip");
  if (!connect(avr, &options)) return refuse(options.mcu, "has no such USART");
  run.hz = options.hz;
  run.avr = avr;
  if (!pins_watch(avr, &options, on_level)) return refuse(options.mcu, "has no such pin");
  if (!pins_drive(avr, &options)) return refuse(options.mcu, "has no such pin or ADC");
  run.lines_wanted = options.lines;
  run.is_timed = options.until_us != 0;
  if (run.is_timed) avr_cycle_timer_register(avr, options_cycle(&options, options.until_us), on_until, NULL);
  run.pty = options.pty;
  if (run.pty && !pty_make()) return refuse("--pty", "there is no pseudo-terminal to be had");
  if (run.pty && !pty_wait_for_reader((unsigned)options.wall_s)) {
    end("limit", exit_limit, "nobody opened the pseudo-terminal,", 0);
  }
  const uint16_t ram_end = avr->ramend;
  simulate(avr, &options, firmware.flashbase + firmware.flashsize);
  flush_line();
  if (run.pty) hang_up(&options);
  if (run.is_timed) stamp();
  printf(
      "end {\"state\": \"%s\", \"exit\": %d, \"why\": \"%s\", \"cycles\": %llu, \"stack_bytes\": %u, \"min_sp\": %u}\n",
      run.state, run.exit_code, run.why, (unsigned long long)avr->cycle, (unsigned)(ram_end - run.lowest_stack),
      (unsigned)run.lowest_stack);
  return run.exit_code;
}
