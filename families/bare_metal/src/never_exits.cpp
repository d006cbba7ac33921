// SPDX-License-Identifier: MIT
//
// A program on a microcontroller never exits, so the destructors of its static objects never run.
// Link-time optimisation sees that their registration does nothing, and drops it together with the
// destructors and the code that only they use. See also families/avr/never_exits.cpp.

extern "C" {
void* __dso_handle __attribute__((weak));

__attribute__((weak)) int __cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}

/// Does the same for the ARM ABI.
__attribute__((weak)) int __aeabi_atexit(void*, void (*)(void*), void*) {
  return 0;
}
}
