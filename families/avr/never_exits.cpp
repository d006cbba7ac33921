// SPDX-License-Identifier: MIT
//
// A program on a microcontroller never exits, so the destructors of its static objects never run.
// avr-g++ nevertheless collects them in .dtors, which the linker scripts of binutils keep against
// --gc-sections: each static object would hold its destructor, and all that it calls, in flash. The
// boards compile with -fuse-cxa-atexit, which turns the table into calls of this function.
// Link-time optimisation sees that the function ignores them and drops call, destructor and the
// rest. A linker script that discards .dtors is not enough: the KEEP of the default script still
// roots them.

extern "C" {
void* __dso_handle __attribute__((weak));

__attribute__((weak)) int __cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}
}
