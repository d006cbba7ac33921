// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/spi/protected_memory.hpp>

#ifdef BATON_PRIVATE_MEMORY

/// The memory that a task may touch, in a program that is compiled with BATON_PRIVATE_MEMORY.
///
/// BATON_KERNEL_MEMORY puts an object where tasks without privileges cannot touch it.
/// BATON_TASK_MEMORY puts it there, too, as memory that such a task may give to a child: for
/// stacks. The object begins as zeros, so it has no initializer but a constructor.
#define BATON_KERNEL_MEMORY __attribute__((BATON_SPI_SECTION_OF("kernel")))
#define BATON_TASK_MEMORY __attribute__((BATON_SPI_SECTION_OF("tasks")))

/// Symbols of the board's linker script.
extern "C" {
extern char __code_start[], __code_end[];
extern char __shared_start[], __shared_end[];
extern char __tasks_start[], __tasks_end[];
}

/// A symbol of src/trap.S.
extern "C" char baton_riscv32_kernel_stack_top[];

namespace baton {
namespace riscv32_tasks {

using kernel::word;
using window = kernel::spi::memory_window;

BATON_INLINE word address_of(const void* p) {
  return reinterpret_cast<word>(p);
}

inline window code_and_constants() {
  return window(address_of(__code_start), address_of(__code_end));
}
/// The memory of ordinary variables, which all tasks touch that are not private.
inline window variables() {
  return window(address_of(__shared_start), address_of(__shared_end));
}
/// The memory of objects that are declared BATON_TASK_MEMORY.
inline window task_memory() {
  return window(address_of(__tasks_start), address_of(__tasks_end));
}

/// Entries of the physical memory protection (PMP). Of those that match an address the first
/// decides, and user mode touches nothing that none matches. Machine mode touches everything.
///
/// Source   RISC-V Privileged Architectures, version 20211203, 3.7.1.
namespace pmp {

enum : word { read = 1, write = 2, execute = 4, is_top = 1 << 3, is_power_of_two = 3 << 3 };

/// Entry 0 is code and constants, and the same for every task. The rest is written at each switch.
enum : uint8_t { of_code, of_stack, of_shared, of_device };

constexpr word least_bytes = 8;

/// The address register of an entry that holds 2^n bytes at a multiple of them.
constexpr word address_of_power(word start, word bytes) {
  return (start | (bytes / 2 - 1)) >> 2;
}
/// The memory of such an entry.
constexpr window window_of(word address) {
  return window((address & (address + 1)) << 2, ((address | (address + 1)) + 1) << 2);
}

constexpr word entry(uint8_t number, word configuration) {
  return configuration << 8 * number;
}

constexpr bool is_power(word bytes) {
  return (bytes & (bytes - 1)) == 0;
}

/// Tests whether one entry can hold exactly this piece.
inline bool can_hold(const kernel::memory_piece& p) {
  return p.bytes == 0 || (p.bytes >= least_bytes && is_power(p.bytes) && address_of(p.start) % p.bytes == 0);
}

}  // namespace pmp

/// The rights of a task: what a switch writes, and what the kernel compares with.
///
/// Shape    src/trap.S takes the first six words in this order.
class rights {
 public:
  /// Gives a task its rights.
  void begin(const kernel::task_description& d) {
    const word stack = address_of(d.stack);
    addresses_[0] = pmp::address_of_power(stack, d.stack_bytes);
    configuration_ = pmp::entry(pmp::of_code, pmp::read | pmp::execute | pmp::is_power_of_two) |
                     pmp::entry(pmp::of_stack, both | pmp::is_power_of_two);
    __asm__("mv %0, gp" : "=r"(global_pointer_));
    kernel_stack_ = address_of(baton_riscv32_kernel_stack_top);
    stack_ = window(stack, d.stack_bytes <= kernel::longest_message ? stack + d.stack_bytes : stack);
    if (d.touches.is_private && !d.is_privileged) {
      touch(d.touches);
    } else {
      touch_all(d.is_privileged);
    }
  }

  BATON_INLINE bool may_access(word address, word bytes, bool writes) const {
    return BATON_LIKELY(stack_.holds(address, bytes)) || ask_elsewhere(address, bytes, writes);
  }

  /// Tests whether a child may have this reach.
  bool may_give(const kernel::reach& r) const {
    return r.is_private ? has(shared_, r.shared) && has(device(), r.device) : touches_all();
  }

 private:
  static constexpr word both = pmp::read | pmp::write;
  static constexpr word no_pointer = 0x1000;  // nothing that a program names lies below

  /// Devices and ordinary variables are one entry that holds the memory up to the end of variables.
  void touch_all(bool has_privileges) {
    addresses_[1] = no_pointer >> 2;
    addresses_[2] = address_of(__shared_end) >> 2;
    configuration_ |= pmp::entry(pmp::of_device, both | pmp::is_top);
    shared_ = has_privileges ? window::of_all() : variables();
  }
  bool touches_all() const {
    return (configuration_ & pmp::entry(pmp::of_device, pmp::is_power_of_two)) ==
           pmp::entry(pmp::of_device, pmp::is_top);
  }

  void touch(const kernel::reach& r) {
    touch_piece(pmp::of_shared, r.shared);
    touch_piece(pmp::of_device, r.device);
    const word shared = address_of(r.shared.start);
    shared_ = window(shared, shared + r.shared.bytes);
  }
  void touch_piece(uint8_t number, const kernel::memory_piece& p) {
    addresses_[number - 1] = pmp::address_of_power(address_of(p.start), p.bytes);
    if (p.bytes != 0) configuration_ |= pmp::entry(number, both | pmp::is_power_of_two);
  }

  window device() const {
    if (touches_all()) return window(no_pointer, address_of(__code_start));
    return configuration_ >> 8 * pmp::of_device ? pmp::window_of(addresses_[2]) : window();
  }
  static bool has(const window& w, const kernel::memory_piece& p) {
    return p.bytes == 0 || w.holds(address_of(p.start), p.bytes);
  }

  /// Calls `baton_riscv32_may_access_elsewhere` past the compiler. The path of a call through the
  /// kernel saves no register for it, and computes nothing before it knows that it comes here.
  BATON_INLINE bool ask_elsewhere(word address, word bytes, word writes) const {
    word may;
    __asm__(
        "lw t0, %[start]\n\t"
        "lw t1, %[size]\n\t"
        "lw t2, %[own]\n\t"
        "addi sp, sp, -64\n\t"
        "sw %[address], 0(sp)\n\t"
        "sw %[bytes], 4(sp)\n\t"
        "sw %[writes], 8(sp)\n\t"
        "call t4, baton_riscv32_ask_elsewhere\n\t"
        "mv %[may], t0"
        : [may] "=r"(may)
        : [address] "r"(address), [bytes] "r"(bytes), [writes] "r"(writes), [start] "m"(shared_.start()),
          [size] "m"(shared_.bytes()), [own] "m"(addresses_[0])
        : "t0", "t1", "t2", "t3", "t4");
    return may;
  }

  word addresses_[3];  // of the entries of_stack, of_shared and of_device
  word configuration_;
  word global_pointer_;  // gp and sp of the kernel
  word kernel_stack_;
  window stack_;   // empty if no message is as long as the stack
  window shared_;  // what else may be a message; a device may not
};

/// The part of `kernel_port` for tasks that have `rights`, in the member of that name of a context.
///
/// Shape    a stack is a power of two, aligned to itself, because it is one entry of the PMP.
struct protecting {
  static constexpr bool protects_memory = true;
  static constexpr kernel::word alignment_of_stack(kernel::word bytes) { return bytes; }
  static constexpr bool is_stack_size(kernel::word bytes) { return pmp::is_power(bytes); }

  template <typename Context>
  static BATON_INLINE bool may_access(const Context& c, const void* p, word bytes, bool writes) {
    return c.rights.may_access(address_of(p), bytes, writes);
  }
  static bool may_be_stack(const void* p, word bytes) { return task_memory().holds(address_of(p), bytes); }
  static bool is_program(void (*entry)(void*), const char* name) {
    return code_and_constants().holds(reinterpret_cast<word>(entry)) &&
           (!name || code_and_constants().holds_name(name));
  }
  static bool is_reach(const kernel::reach& r) {
    return !r.is_private || (pmp::can_hold(r.shared) && !variables().meets(r.shared) && pmp::can_hold(r.device));
  }
  /// A piece that lies among the variables of all would be everybody's.
  static kernel::error why_not(const kernel::task_description& d) {
    const bool is_open = d.touches.is_private && !d.is_privileged && variables().meets({d.stack, d.stack_bytes});
    return is_open ? kernel::error::bad_stack : kernel::error::none;
  }
  template <typename Context>
  static bool may_give(const Context& maker, const kernel::reach& r) {
    return maker.rights.may_give(r);
  }
};

}  // namespace riscv32_tasks
}  // namespace baton

#endif
