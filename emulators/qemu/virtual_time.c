// SPDX-License-Identifier: MIT
#include "virtual_time.h"

#include <stdio.h>
#include <stdlib.h>

#include "qemu_api.h"

enum { busy_retry_ns = 10000 };

// A timer of QEMU, whose header would define it: 48 bytes in QEMU 7.2. (include/qemu/timer.h,
// struct QEMUTimer)
struct timer {
  _Alignas(16) uint8_t of_qemu[256];
};

// A program that keeps sleeping and waking ends after this multiple of the limit.
enum { asleep_factor = 1000 };

static struct timer limit_timer, until_timer, hold_timer, send_timers[max_sends], input_timers[max_inputs];
static uint64_t limit_ns;
static uint64_t (*time_awake)(void);
static void (*limit_action)(void);
static void (*until_action)(void);
static uint64_t byte_ns;

static void arm(struct timer* timer, int64_t at_ns) {
  timer_mod_ns(timer->of_qemu, at_ns);
}

static void arm_first(struct timer* timer, uint64_t at_us, int attributes, qemu_timer_callback action, void* data) {
  timer_init_full(timer->of_qemu, NULL, qemu_clock_virtual, qemu_scale_ns, attributes, action, data);
  arm(timer, (int64_t)at_us * qemu_scale_us);
}

static void on_limit_timer(void* data) {
  (void)data;
  const uint64_t now = (uint64_t)qemu_clock_get_ns(qemu_clock_virtual), awake = time_awake();
  if (awake >= limit_ns || now >= limit_ns * asleep_factor) {
    limit_action();
  } else {
    arm(&limit_timer, (int64_t)(now + limit_ns - awake));
  }
}

static void on_hold_timer(void* data) {
  (void)data;
}

// Keeps the clock where it is. A port may set a timer of its own when it gets a byte, before it
// interrupts: a 16550 does. The processor still sleeps then, and QEMU (icount sleep=off) moves the
// clock to the next timer at once, unless one is due already.
static void hold_clock(void) {
  arm(&hold_timer, qemu_clock_get_ns(qemu_clock_virtual));
}

// A byte for which the port has no room waits, so that no byte is lost to a slow program.
static void on_send_timer(void* data) {
  struct send* send = data;
  void* port = qemu_chr_find("serial0");
  const bool room = port && qemu_chr_be_can_write(port) > 0;
  if (room) {
    hold_clock();
    qemu_chr_be_write(port, send->bytes++, 1);
    --send->count;
  }
  // The timers are in the order of the options' sends.
  struct timer* timer = &send_timers[send->of_timer];
  if (send->count) arm(timer, qemu_clock_get_ns(qemu_clock_virtual) + (int64_t)(room ? byte_ns : busy_retry_ns));
}

static void on_until_timer(void* data) {
  (void)data;
  until_action();
}

static void on_input_timer(void* data) {
  const struct input* input = data;
  qemu_set_irq(object_resolve_path(input->path, NULL), input->level);
}

// A path that names no line would be set in silence, or break the emulator.
static void arm_input(struct input* input, size_t number) {
  void* line = object_resolve_path(input->path, NULL);
  if (!line || !object_dynamic_cast(line, "irq")) {
    fprintf(stderr, "libbaton-count: this machine has no line %s; [pins] of board.toml names it\n", input->path);
    exit(1);
  }
  arm_first(&input_timers[number], input->at_us, 0, on_input_timer, input);
}

// While the processor sleeps, QEMU (icount sleep=off) moves the clock to the next timer, and then
// to the one after it, before the processor has woken. So the limit must not be a timer that the
// clock moves to: it is external. And the clock runs ahead of the time that the program sees, so
// the limit counts the time awake.
void virtual_time_start(struct options* options, uint64_t (*awake_ns)(void), void (*on_limit)(void),
                        void (*on_until)(void)) {
  limit_action = on_limit;
  until_action = on_until;
  time_awake = awake_ns;
  limit_ns = options->limit_ms * qemu_scale_ms;
  byte_ns = options->byte_ns;
  timer_init_full(hold_timer.of_qemu, NULL, qemu_clock_virtual, qemu_scale_ns, 0, on_hold_timer, NULL);
  if (limit_ns) arm_first(&limit_timer, options->limit_ms * 1000, qemu_timer_external, on_limit_timer, NULL);
  for (size_t i = 0; i < options->send_count; ++i) {
    struct send* send = &options->sends[i];
    send->of_timer = i;
    if (send->count) arm_first(&send_timers[i], send->at_us, 0, on_send_timer, send);
  }
  for (size_t i = 0; i < options->input_count; ++i) arm_input(&options->inputs[i], i);
  if (options->until_us) arm_first(&until_timer, options->until_us, 0, on_until_timer, NULL);
}
