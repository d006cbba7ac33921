// SPDX-License-Identifier: MIT
#include <baton/board.hpp>

// A table and a buffer for which the board's chip has no room. The assembler takes any number of
// bytes, a compiler for AVR no array of so many.
#define STRING_OF(...) #__VA_ARGS__
#define STRING(...) STRING_OF(__VA_ARGS__)
asm(".section .text.pantry_of_constants,\"ax\"\n"
    "  .globl pantry_of_constants\n"
    "pantry_of_constants:\n"
    "  .space " STRING(FLASH_BYTES) "\n"
    "  .size pantry_of_constants, " STRING(FLASH_BYTES) "\n"
    "  .section .bss.pantry_of_variables,\"aw\",%nobits\n"
    "  .globl pantry_of_variables\n"
    "pantry_of_variables:\n"
    "  .space " STRING(RAM_BYTES) "\n"
    "  .size pantry_of_variables, " STRING(RAM_BYTES) "\n"
    "  .text\n");

extern "C" {
extern const char pantry_of_constants[];
extern char pantry_of_variables[];
}

const char* volatile constants;
char* volatile variables;

int main() {
  constants = pantry_of_constants;
  variables = pantry_of_variables;
}
