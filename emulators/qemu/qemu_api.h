// SPDX-License-Identifier: MIT
#ifndef BATON_QEMU_QEMU_API_H
#define BATON_QEMU_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The parts of QEMU 7.2 that the plugin uses. Debian packages the emulator without a header, so the
// prototypes are declared here. Source: QEMU 7.2, include/qemu/qemu-plugin.h (API version 1),
// include/qemu/timer.h, include/chardev/char.h.

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

enum { qemu_plugin_api_version = 1 };
enum { qemu_plugin_cb_no_regs = 0 };
enum { qemu_plugin_mem_rw = 3 };
enum { qemu_plugin_inline_add_u64 = 0 };

struct qemu_info {
  const char* target_name;
  struct {
    int min, cur;
  } version;
  bool system_emulation;
};

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb*));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*, void (*)(unsigned, void*), int flags, void*);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn*, int op, void* to, uint64_t immediate);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn*,
                                      void (*)(unsigned, qemu_plugin_meminfo_t, uint64_t address, void*), int flags,
                                      int which, void*);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);
struct qemu_plugin_hwaddr* qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t, uint64_t address);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr*);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, unsigned vcpu,
                                                                         int64_t number, int64_t result));
uint64_t qemu_plugin_start_code(void);

// These are not part of the plugin interface, and only the system emulators have them: their
// virtual clock and their serial ports.
typedef void (*qemu_timer_callback)(void*);
enum {
  qemu_clock_virtual = 1,
  qemu_scale_ms = 1000000,
  qemu_scale_us = 1000,
  qemu_scale_ns = 1,
  qemu_timer_external = 1
};
__attribute__((weak)) int64_t qemu_clock_get_ns(int clock);
__attribute__((weak)) void timer_init_full(void* timer, void* group, int clock, int scale, int attributes,
                                           qemu_timer_callback, void*);
__attribute__((weak)) void timer_mod_ns(void* timer, int64_t expires);
__attribute__((weak)) void* qemu_chr_find(const char* name);
__attribute__((weak)) int qemu_chr_be_can_write(void* port);
__attribute__((weak)) void qemu_chr_be_write(void* port, const uint8_t* bytes, int count);

// Nor are these: the interrupt lines of QEMU's devices, which a test of QEMU's own sets by `qtest`,
// and the memory as a processor sees it.
__attribute__((weak)) void* object_resolve_path(const char* path, bool* is_ambiguous);
__attribute__((weak)) void* object_dynamic_cast(void* object, const char* type);
__attribute__((weak)) void qemu_set_irq(void* line, int level);
__attribute__((weak)) void* qemu_get_cpu(int number);
__attribute__((weak)) int cpu_memory_rw_debug(void* cpu, uint64_t address, void* bytes, size_t count, bool is_write);

#endif
