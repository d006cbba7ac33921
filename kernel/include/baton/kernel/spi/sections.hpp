// SPDX-License-Identifier: MIT
#pragma once

/// Service-provider interface of the kernel: sections of the linker for objects that a port
/// protects.
///
/// It is for Baton's ports. Users do not name it, and it may change with any release.

#define BATON_SPI_TEXT_OF(n) #n
#define BATON_SPI_TEXT_OF_VALUE(n) BATON_SPI_TEXT_OF(n)

#ifdef __FILE_NAME__
#define BATON_SPI_NAME_OF_FILE __FILE_NAME__ "."
#else
#define BATON_SPI_NAME_OF_FILE
#endif

/// A section of its own for each object, which begins as zeros and whose name begins unlike that of
/// any variable. The linker script gathers the sections of a kind by alignment; two objects of one
/// section would be padded to the larger alignment.
#define BATON_SPI_SECTION_OF(kind) \
  section(".bss.." kind            \
          "." BATON_SPI_NAME_OF_FILE BATON_SPI_TEXT_OF_VALUE(__LINE__) "." BATON_SPI_TEXT_OF_VALUE(__COUNTER__))
