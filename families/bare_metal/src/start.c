// SPDX-License-Identifier: MIT
//
// Goes from the reset code, which has set the stack pointer, to main. The linker script defines the
// symbols.
#include <stddef.h>
#include <stdint.h>

extern char __data_load[], __data_start[], __data_end[], __bss_start[], __bss_end[];
extern void (*const __init_array_start[])(void);
extern void (*const __init_array_end[])(void);

void* memcpy(void* restrict to, const void* restrict from, size_t count);
void* memset(void* to, int value, size_t count);
int main(void);
__attribute__((noreturn)) void baton_end(int exit_code);

__attribute__((noreturn, used)) void baton_device_start(void) {
  if (&__data_start[0] != &__data_load[0]) memcpy(__data_start, __data_load, (size_t)(__data_end - __data_start));
  memset(__bss_start, 0, (size_t)(__bss_end - __bss_start));
  for (void (*const* run)(void) = __init_array_start; run != &__init_array_end[0]; ++run) (*run)();
  baton_end(main());
}
