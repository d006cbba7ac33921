// SPDX-License-Identifier: MIT
//
// A plugin for QEMU that counts the instructions of a program, exactly between two marks. README.md
// states what a program, and the runner, may rely on.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "masks.h"
#include "model.h"
#include "options.h"
#include "qemu_api.h"
#include "virtual_time.h"

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int qemu_plugin_version = qemu_plugin_api_version;
EXPORTED int qemu_plugin_install(qemu_plugin_id_t, const struct qemu_info*, int argc, char** argv);

// The counters are in memory shared with the runner, which also reads them after it had to kill the
// emulator. The misses are there only with caches.
struct counters {
  uint64_t instructions, reads, writes;
  uint64_t lowest_stack;  // lowest address of the stack that was written to
  struct first_misses first[first_instructions];
};

static struct options options;
static struct counters* counters;
static struct {
  uint64_t instructions, reads, writes;
} at_start;
static bool is_system, open_interval, began, entered;
static uint64_t moved_by;  // from the program's linked address to its load address

// ---- Messages to the runner ----

// Sends a message and waits for the answer: the program stands still until the runner has seen all
// that was printed before.
static void tell(const char* message, int length) {
  char answer;
  if (send(options.socket, message, (size_t)length, MSG_NOSIGNAL) != length) _exit(1);
  if (recv(options.socket, &answer, 1, 0) != 1) _exit(1);  // the runner is gone
}

static void tell_address(const char* what, uint64_t address) {
  char message[64];
  tell(message, snprintf(message, sizeof message, "%s 0x%llx", what, (unsigned long long)address));
}

static void on_limit(void) {
  tell_address("limit", 0);
}

static uint64_t awake_ns(void) {
  return counters->instructions * options.instruction_ns;
}

static void on_until(void) {
  tell_address("until", 0);
}

// Reads the bit of a register that shows a pin's level.
static unsigned level(const struct watch* watch) {
  uint32_t word = 0;
  cpu_memory_rw_debug(qemu_get_cpu(0), watch->address, &word, sizeof word, false);
  return word >> watch->bit & 1;
}

// Tells that the program has written to a device: with a script also the virtual time, and the
// levels of the watched pins.
static void tell_step(void) {
  char message[64 + 2 * max_watches];
  int length = snprintf(message, sizeof message, "step");
  if (options.until_us && is_system) {
    length += snprintf(message + length, sizeof message - (size_t)length, " %lld",
                       (long long)qemu_clock_get_ns(qemu_clock_virtual));
    for (size_t i = 0; i < options.watch_count; ++i) {
      length += snprintf(message + length, sizeof message - (size_t)length, " %u", level(&options.watches[i]));
    }
  }
  tell(message, length);
}

// ---- Execution ----

static void on_start(unsigned vcpu, void* data) {
  (void)vcpu, (void)data;
  at_start.instructions = counters->instructions;
  at_start.reads = counters->reads;
  at_start.writes = counters->writes;
  open_interval = true;
  if (options.is_timed) model_start();
  if (options.masks) masks_start();
}

static void on_stop(unsigned vcpu, void* data) {
  (void)vcpu, (void)data;
  if (!open_interval) return;
  open_interval = false;
  char message[512];
  int length = snprintf(message, sizeof message, "interval %llu %llu %llu",
                        (unsigned long long)(counters->instructions - at_start.instructions),
                        (unsigned long long)(counters->reads - at_start.reads),
                        (unsigned long long)(counters->writes - at_start.writes));
  if (options.masks)
    length += snprintf(message + length, sizeof message - (size_t)length, " %llu", (unsigned long long)masks_longest());
  if (options.is_timed) length += model_report(&options, message + length, sizeof message - (size_t)length);
  tell(message, length);
}

static void on_stray(unsigned vcpu, void* data) {
  (void)vcpu;
  tell_address("stray", (uint64_t)(uintptr_t)data);
}

static bool is_device(qemu_plugin_meminfo_t what, uint64_t address) {
  const struct qemu_plugin_hwaddr* place = qemu_plugin_get_hwaddr(what, address);
  return place && qemu_plugin_hwaddr_is_io(place);
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t what, uint64_t address, void* data) {
  (void)vcpu, (void)data;
  const bool is_store = qemu_plugin_mem_is_store(what);
  if (options.is_timed)
    model_access(&options, address - moved_by, is_store, options.caches && is_device(what, address));
  if (!is_store) {
    ++counters->reads;
    return;
  }
  ++counters->writes;
  if (address >= options.stack.low && address < counters->lowest_stack) counters->lowest_stack = address;
  if (options.steps && is_system && is_device(what, address)) tell_step();
}

static void on_system_call(qemu_plugin_id_t id, unsigned vcpu, int64_t number, int64_t result) {
  (void)id, (void)vcpu, (void)number, (void)result;
  tell_step();
}

// ---- Translation ----

static bool is_code(uint64_t address) {
  if (!options.code_count) return true;
  for (size_t i = 0; i < options.code_count; ++i) {
    if (address >= options.codes[i].low && address < options.codes[i].high) return true;
  }
  return false;
}

// Finds instructions outside of the program. A machine's own start-up code runs before the
// program's; after that, all instructions have to be the program's.
static void look_for_strays(struct qemu_plugin_insn* instruction, uint64_t address) {
  if (is_code(address)) {
    entered = true;
  } else if (entered) {
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_stray, qemu_plugin_cb_no_regs, (void*)(uintptr_t)address);
  }
}

// Runs before the first instruction, when the machine is complete.
static void begin(void) {
  began = true;
  if (is_system) virtual_time_start(&options, awake_ns, on_limit, on_until);
  if (options.is_movable) moved_by = qemu_plugin_start_code() - options.base;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  if (!began) begin();
  const bool watches_memory = options.start || options.stack.high || options.steps || options.is_timed;
  const size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < count; ++i) {
    struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
    const uint64_t address = qemu_plugin_insn_vaddr(instruction) - moved_by;
    if (options.is_timed) model_watch(&options, instruction, address);
    if (options.masks) masks_watch(&options, instruction, address);
    look_for_strays(instruction, address);
    if (options.start && address == options.start) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_start, qemu_plugin_cb_no_regs, NULL);
    }
    if (options.stop && address == options.stop) {
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_stop, qemu_plugin_cb_no_regs, NULL);
    }
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, qemu_plugin_inline_add_u64, &counters->instructions, 1);
    if (watches_memory) {
      qemu_plugin_register_vcpu_mem_cb(instruction, on_access, qemu_plugin_cb_no_regs, qemu_plugin_mem_rw, NULL);
    }
  }
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info* info, int argc, char** argv) {
  if (!options_parse(&options, argc, argv)) return 1;
  counters = mmap(NULL, sizeof *counters, PROT_READ | PROT_WRITE, MAP_SHARED, options.counters, 0);
  if (counters == MAP_FAILED) return perror("libbaton-count: counters"), 1;
  counters->lowest_stack = options.stack.high;
  model_begin(counters->first);
  is_system = info->system_emulation;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
  if (options.steps && !is_system) qemu_plugin_register_vcpu_syscall_ret_cb(id, on_system_call);
  return 0;
}
