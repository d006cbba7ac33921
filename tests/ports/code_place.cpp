// SPDX-License-Identifier: MIT
//
// The place of code that the host prints is the one that addr2line takes: what the loader added to
// the addresses of the program's file is not in it.
#include <baton/host/code_place.hpp>
#include <link.h>
#include <stdlib.h>
#include <string.h>

namespace {

int address_added(dl_phdr_info* program, size_t, void* to) {
  *static_cast<uintptr_t*>(to) = program->dlpi_addr;
  return 1;  // the first is the program itself
}

}  // namespace

int main() {
  const void* const code = reinterpret_cast<const void*>(&address_added);
  char text[4096];
  FILE* const to = fmemopen(text, sizeof(text), "w");
  baton::host::print_code_place(to, code);
  fclose(to);
  uintptr_t added = 0;
  dl_iterate_phdr(&address_added, &added);
  const char* const number = strrchr(text, ' ');
  const uintptr_t offset = number ? strtoul(number, nullptr, 0) : 0;
  const bool good = offset + added == reinterpret_cast<uintptr_t>(code) && strstr(text, "code_place") &&
                    (BATON_TEST_IS_MOVED != 0) == (added != 0);
  printf("%s\nverdict: %s\n", text, good ? "good" : "bad");
  return good ? 0 : 1;
}
