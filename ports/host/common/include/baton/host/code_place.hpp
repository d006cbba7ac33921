// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

namespace baton {
namespace host {

/// True if an ELF file is loaded at an address of the loader's choice: its type (`e_type`, offset
/// 16) is ET_DYN. <link.h> has the names, and 595 lines for each program that includes the clock.
inline bool is_moved(const void* file) {
  uint16_t type;
  __builtin_memcpy(&type, static_cast<const char*>(file) + 16, sizeof type);
  return type == 3;
}

/// Prints where code is, as a debugger's tools take it: `addr2line -e FILE OFFSET`.
///
/// Units    the offset in its file, if the file is loaded at an address of the loader's choice, as
///          a program is by default; else the address.
inline void print_code_place(FILE* to, const void* code) {
  Dl_info where;
  if (!dladdr(code, &where) || !where.dli_fname) {
    fprintf(to, "%p", code);
    return;
  }
  const uintptr_t base = is_moved(where.dli_fbase) ? reinterpret_cast<uintptr_t>(where.dli_fbase) : 0;
  fprintf(to, "%s 0x%lx", where.dli_fname, static_cast<unsigned long>(reinterpret_cast<uintptr_t>(code) - base));
}

}  // namespace host
}  // namespace baton
