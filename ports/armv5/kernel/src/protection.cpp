// SPDX-License-Identifier: MIT
//
// Opens the memory of private tasks by the MMU's domains. All addresses are physical ones, but for
// the devices of private tasks. Domain 0 is everything that is no piece: a private task reads code
// and constants of it. Each piece of a private task, and each one that some of them share, gets one
// of the other domains when it is first named, and keeps it until another piece needs it.
//
// The caches stay off, as they are without the MMU.
//
// Source   ARM926EJ-S TRM (DDI 0198), "Memory Management Unit"; ARM Architecture Reference Manual
//          (DDI 0100), B4 "Virtual Memory System Architecture".
#ifdef BATON_PRIVATE_MEMORY

#include <baton/kernel/kernel_state.hpp>
#include <stddef.h>
#include <stdint.h>

using baton::kernel::tcb;

/// The pieces are multiples of a MiB, and the linker script sorts by alignment. So these follow the
/// last of them, and what else lies there follows these.
BATON_TASK_MEMORY __attribute__((used, aligned(1 << 19))) char baton_armv5_end_of_task_pieces[8];
BATON_KERNEL_MEMORY __attribute__((used, aligned(1 << 19))) char baton_armv5_end_of_kernel_pieces[8];

namespace baton {
namespace armv5_tasks {

namespace {

constexpr uint8_t domains = 16;
constexpr word each_domain = 0x55555555;

/// The owner of a domain: a piece, and of a private task's own the place of its domains.
struct domain {
  word piece;
  const word* task;
};

BATON_KERNEL_MEMORY __attribute__((aligned(16384))) word first_level[4096];
BATON_KERNEL_MEMORY __attribute__((aligned(1024))) word first_mebibyte[256];
BATON_KERNEL_MEMORY __attribute__((aligned(1024))) word registers[domains][256];
BATON_KERNEL_MEMORY domain owners[domains];

enum : word { kernel_only = 1, tasks_read = 2, tasks_write = 3 };  // permissions
constexpr word page_bytes = 4096, part_bytes = 1024;

/// An entry of the first level for a MiB.
constexpr word section(word address, word of_domain, word permission) {
  return address | permission << 10 | of_domain << 5 | 1 << 4 | 2;
}
/// An entry of the first level for a table of the second.
word table(const word* pages, word of_domain) {
  return address_of(pages) | of_domain << 5 | 1 << 4 | 1;
}
/// The permission of one of a page's four parts.
constexpr word permission_of_part(word address, word permission) {
  return permission << (4 + address % page_bytes / part_bytes * 2);
}
constexpr word page(word address, word permission) {
  return address | permission * 0x550 | 2;
}

BATON_INLINE word& entry_of(word address) {
  return first_level[address / piece_bytes];
}
/// The entry of a MiB that has no domain of its own.
word closed(word address) {
  return section(address, 0, address < address_of(__code_end) ? tasks_read : kernel_only);
}

/// Makes the MMU see changed entries.
/// Source   DDI 0100, B2.5 "Memory coherency and access issues"
void take_effect() {
  __asm__ volatile(
      "mcr p15, 0, %0, c7, c10, 4\n\t"  // the write buffer is empty
      "mcr p15, 0, %0, c8, c7, 0" ::"r"(0)
      : "memory");
}

bool lives(const word* task) {
  const size_t before = offsetof(tcb, context) + offsetof(kernel_port::context, domains);
  const tcb& t = *reinterpret_cast<const tcb*>(reinterpret_cast<const char*>(task) - before);
  return !t.is_free() && t.context.is_private();
}

/// The domains that private tasks use, as in the MMU's register: a task checks permissions in them.
word domains_in_use() {
  word used = 1;
  for (const domain& d : owners) {
    if (d.task && lives(d.task)) used |= *d.task;
  }
  return used;
}

/// The number of the domain of a piece; 0: it has none.
uint8_t domain_of(word piece) {
  for (uint8_t d = 1; d < domains; ++d) {
    if (owners[d].piece == piece) return d;
  }
  return 0;
}

constexpr word bit_of(uint8_t domain) {
  return word{1} << 2 * domain;
}

/// Gives a piece a domain that is not in use, and closes the piece that had it.
uint8_t give_domain(word piece, word used) {
  uint8_t d = domain_of(piece);
  if (d) return d;
  d = static_cast<uint8_t>(__builtin_ctz(~used & each_domain) / 2);
  if (owners[d].piece) {
    entry_of(owners[d].piece) = closed(owners[d].piece);
    entry_of(owners[d].piece + devices) = closed(owners[d].piece + devices);
  }
  owners[d] = {piece, nullptr};
  entry_of(piece) = section(piece, d, tasks_write);
  return d;
}

void clear(word* pages) {
  constexpr uint16_t between_windows = 32;
  for (uint16_t i = 0; i < piece_bytes / page_bytes; ++i) {
    if (i % between_windows == 0) kernel_port::window();
    pages[i] = 0;
  }
}

/// Lets the registers of a device appear for the task of a domain alone.
void show_device(uint8_t domain, const kernel::memory_piece& device) {
  const word start = address_of(device.start);
  word* const pages = registers[domain];
  clear(pages);
  for (word at = start; at != start + device.bytes; at += part_bytes) {
    if (at % page_bytes == 0) kernel_port::window();
    pages[at % piece_bytes / page_bytes] |= page(at / page_bytes * page_bytes, 0) | permission_of_part(at, tasks_write);
  }
  entry_of(owners[domain].piece + devices) = table(pages, domain);
}

}  // namespace

bool have_domains(word stack, const kernel::memory_piece& shared) {
  const word other = shared.bytes ? address_of(shared.start) : stack;
  const uint8_t of_stack = domain_of(stack), of_other = domain_of(other);
  const word used = domains_in_use() | bit_of(of_stack) | bit_of(of_other);
  const int wanted = (of_stack == 0) + (of_other == 0 && other != stack);
  return __builtin_popcount(used) + wanted <= domains;
}

word open_pieces(const word& of_task, word stack, const kernel::reach& r) {
  const bool shares = r.shared.bytes != 0;
  const word other = shares ? address_of(r.shared.start) : stack;
  const word used = domains_in_use() | bit_of(domain_of(other));
  const uint8_t own = give_domain(stack, used);
  const uint8_t shared = give_domain(other, used | bit_of(own));
  owners[own].task = &of_task;
  show_device(own, r.device);
  take_effect();
  return bit_of(0) | bit_of(own) | bit_of(shared);
}

namespace {

/// Writes zeros, 32 bytes at a time: they are MiBs.
void write_zeros(char* at, const char* end) {
  __asm__ volatile(
      "mov r2, #0\n\tmov r3, #0\n\tmov r4, #0\n\tmov r5, #0\n\t"
      "mov r6, #0\n\tmov r7, #0\n\tmov r8, #0\n\tmov r9, #0\n\t"
      "b 2f\n\t"
      "1: stmia %0!, {r2-r9}\n\t"
      "2: cmp %0, %1\n\t"
      "bne 1b"
      : "+r"(at)
      : "r"(end)
      : "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "cc", "memory");
}

/// Clears what is declared BATON_KERNEL_MEMORY or BATON_TASK_MEMORY, before any constructor, and
/// closes all of it.
__attribute__((constructor(101))) void begin() {
  write_zeros(__tasks_start, __kernel_end);
  for (word i = 0; i < sizeof first_level / sizeof *first_level; ++i) first_level[i] = closed(i * piece_bytes);
  for (word i = 0; i < piece_bytes / page_bytes; ++i) first_mebibyte[i] = page(i * page_bytes, tasks_read);
  first_mebibyte[0] &= ~permission_of_part(0, tasks_write);
  first_mebibyte[0] |= permission_of_part(0, kernel_only);
  first_level[0] = table(first_mebibyte, 0);
}

}  // namespace

void protect_memory() {
  constexpr word mmu = 1;
  word control;
  take_effect();
  __asm__ volatile(
      "mcr p15, 0, %1, c2, c0, 0\n\t"
      "mcr p15, 0, %2, c3, c0, 0\n\t"
      "mrc p15, 0, %0, c1, c0, 0"
      : "=r"(control)
      : "r"(first_level), "r"(all_domains)
      : "memory");
  __asm__ volatile("mcr p15, 0, %0, c1, c0, 0" ::"r"(control | mmu) : "memory");
}

}  // namespace armv5_tasks
}  // namespace baton

#endif
