// SPDX-License-Identifier: MIT
#pragma once

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>

namespace baton {
namespace host {

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
  const bool is_moved = static_cast<const ElfW(Ehdr)*>(where.dli_fbase)->e_type == ET_DYN;
  const uintptr_t base = is_moved ? reinterpret_cast<uintptr_t>(where.dli_fbase) : 0;
  fprintf(to, "%s 0x%lx", where.dli_fname, static_cast<unsigned long>(reinterpret_cast<uintptr_t>(code) - base));
}

}  // namespace host
}  // namespace baton
