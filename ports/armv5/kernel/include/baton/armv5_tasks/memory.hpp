// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/kernel/spi/protected_memory.hpp>

/// The memory of private tasks on an ARM926: pieces of a MiB of addresses each, which the MMU opens
/// and shuts by domains. A program that is not compiled with BATON_PRIVATE_MEMORY does not include
/// this, and has no MMU.
///
/// The linker's addresses are the only ones: a piece has one name for the kernel, for its task and
/// for all others.

#define BATON_HAS_MMU

/// BATON_KERNEL_MEMORY and BATON_TASK_MEMORY put an object where private tasks cannot touch it; a
/// task without privileges may give the latter to a child as its stack. The object begins as zeros,
/// so it has no initializer but a constructor.
#define BATON_KERNEL_MEMORY __attribute__((BATON_SPI_SECTION_OF("kernel")))
#define BATON_TASK_MEMORY __attribute__((BATON_SPI_SECTION_OF("tasks")))

/// Symbols of the board's linker script, and the ends of the pieces: they are objects of
/// src/protection.cpp that lie behind the last one.
extern "C" {
extern char __code_end[], __tasks_start[], __tasks_end[], __kernel_start[], __kernel_end[];
extern char baton_armv5_end_of_task_pieces[], baton_armv5_end_of_kernel_pieces[];
}

namespace baton {

namespace armv5_tasks {

using kernel::word;

/// The size of a piece: the memory that one entry of the first-level table describes.
constexpr word piece_bytes = 1u << 20;

/// The domains that a task which is not private may access, without a look at permissions: all.
constexpr word all_domains = ~word{0};

/// The registers of a private task's device appear at this address, plus the address of the task's
/// piece, plus their place in the MiB that the device lies in.
constexpr word devices = 0xf0000000;

using kernel::spi::memory_window;

/// True if the address is in the same half of a MiB as `start`, and no message goes on behind the
/// other half: most buffers of a private task are in the first half of its piece.
BATON_INLINE bool is_in_piece(word start, word address, word bytes) {
  static_assert(kernel::longest_message < 1u << 16 && piece_bytes == 1u << 20, "the shifts are those of these sizes");
  return ((address ^ start) >> 19 | bytes >> 16) == 0;
}

inline word address_of(const void* p) {
  return reinterpret_cast<word>(p);
}
inline memory_window window_of(const kernel::memory_piece& p) {
  return memory_window(address_of(p.start), address_of(p.start) + p.bytes);
}

/// Returns the memory of code and constants, without the vectors: a null pointer points there.
inline memory_window constants() {
  constexpr word bytes_of_vectors = 1024;  // the smallest part of a page that has a permission
  return memory_window(bytes_of_vectors, address_of(__code_end));
}

/// True if nothing else lies in the MiB that begins there.
inline bool is_piece(word address) {
  return address % piece_bytes == 0 &&
         (memory_window(address_of(__tasks_start), address_of(baton_armv5_end_of_task_pieces)).holds(address) ||
          memory_window(address_of(__kernel_start), address_of(baton_armv5_end_of_kernel_pieces)).holds(address));
}

/// True if the MMU can open exactly this piece, whose unit is a MiB.
inline bool is_shared_piece(const kernel::memory_piece& p) {
  return p.bytes == 0 || (p.bytes == piece_bytes && is_piece(address_of(p.start)));
}

/// True if the MMU can open exactly these registers, in KiB of one MiB.
inline bool is_device(const kernel::memory_piece& p) {
  constexpr word unit = 1024;
  const word start = address_of(p.start);
  return p.bytes == 0 || (start % unit == 0 && p.bytes % unit == 0 && p.bytes <= piece_bytes - start % piece_bytes);
}

/// True if the domains suffice for one more private task with this stack, which shares that piece.
bool have_domains(word stack, const kernel::memory_piece& shared);

/// Opens the pieces of a description to a task, and nothing else. Returns the domains that it may
/// access, for the MMU's register.
/// Context  `have_domains` was true, and the task's slot is free. `domains` is where its context
///          keeps them.
word open_pieces(const word& domains, word stack, const kernel::reach& r);

/// Turns the MMU on.
void protect_memory();

}  // namespace armv5_tasks
}  // namespace baton
