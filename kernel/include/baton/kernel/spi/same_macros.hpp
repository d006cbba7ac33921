// SPDX-License-Identifier: MIT
#pragma once

/// Service-provider interface of the kernel: for ports whose traps are compiled by themselves. The
/// macros that change a task's entry must be the same in the program and in the traps; where they
/// are not, the program does not link, for want of a symbol that names the macros.
///
/// It is for Baton's ports. Users do not name it, and it may change with any release.
///
/// Shape    a word for each unit, in a section that is no part of the image.

#if defined(BATON_TASK_TIMES) && defined(BATON_PRIVATE_MEMORY)
#define BATON_SPI_TRAPS "baton_traps_compiled_with_BATON_TASK_TIMES_and_BATON_PRIVATE_MEMORY"
#elif defined(BATON_TASK_TIMES)
#define BATON_SPI_TRAPS "baton_traps_compiled_with_BATON_TASK_TIMES"
#elif defined(BATON_PRIVATE_MEMORY)
#define BATON_SPI_TRAPS "baton_traps_compiled_with_BATON_PRIVATE_MEMORY"
#else
#define BATON_SPI_TRAPS "baton_traps_compiled_without_BATON_TASK_TIMES_and_BATON_PRIVATE_MEMORY"
#endif

/// Says, in the source of the traps, with which macros they are compiled.
#define BATON_SPI_TRAPS_ARE_HERE() __asm__(".globl " BATON_SPI_TRAPS "\n\t.set " BATON_SPI_TRAPS ", 0")

namespace baton {
namespace kernel {
namespace spi {

/// Asks for traps with the macros of this unit.
__asm__(".pushsection .baton_macros,\"R\"\n\t.long " BATON_SPI_TRAPS "\n\t.popsection");

}  // namespace spi
}  // namespace kernel
}  // namespace baton
