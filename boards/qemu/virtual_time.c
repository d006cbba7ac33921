// SPDX-License-Identifier: MIT
#include "virtual_time.h"

#include "qemu_api.h"

enum { busy_retry_ns = 10000 };

// QEMU's timer, which its header would define: 48 bytes in QEMU 7.2. (include/qemu/timer.h, struct QEMUTimer)
struct timer {
  _Alignas(16) uint8_t of_qemu[256];
};

static struct timer limit_timer, send_timers[max_sends];
static void (*limit_action)(void);
static uint64_t byte_ns;

static void arm(struct timer* timer, int64_t at_ns) {
  timer_mod_ns(timer->of_qemu, at_ns);
}

static void arm_first(struct timer* timer, uint64_t at_ms, qemu_timer_callback action, void* data) {
  timer_init_full(timer->of_qemu, NULL, qemu_clock_virtual, qemu_scale_ns, 0, action, data);
  arm(timer, (int64_t)at_ms * qemu_scale_ms);
}

static void on_limit_timer(void* data) {
  (void)data;
  limit_action();
}

// A byte that the port has no room for waits: no byte is lost to a slow program.
static void on_send_timer(void* data) {
  struct send* send = data;
  void* port = qemu_chr_find("serial0");
  const bool room = port && qemu_chr_be_can_write(port) > 0;
  if (room) {
    qemu_chr_be_write(port, send->bytes++, 1);
    --send->count;
  }
  // The timers are in the order of the options' sends.
  struct timer* timer = &send_timers[send->of_timer];
  if (send->count) arm(timer, qemu_clock_get_ns(qemu_clock_virtual) + (int64_t)(room ? byte_ns : busy_retry_ns));
}

void virtual_time_start(struct options* options, void (*on_limit)(void)) {
  limit_action = on_limit;
  byte_ns = options->byte_ns;
  if (options->limit_ms) arm_first(&limit_timer, options->limit_ms, on_limit_timer, NULL);
  for (size_t i = 0; i < options->send_count; ++i) {
    options->sends[i].of_timer = i;
    if (options->sends[i].count) arm_first(&send_timers[i], options->sends[i].at_ms, on_send_timer, &options->sends[i]);
  }
}
