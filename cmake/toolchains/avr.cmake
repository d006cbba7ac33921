# SPDX-License-Identifier: MIT
#
# avr-g++ for the board that BATON_BOARD names (a preset sets it); the chip and its clock are read from the board's own
# description, boards/<board>/board.toml.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
# CMake reads this file again for its compiler checks, in a project of its own that knows only these variables.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BATON_BOARD)

function(_baton_board_value result key)
  set(description ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../boards/${BATON_BOARD}/board.toml)
  if(NOT EXISTS ${description})
    message(FATAL_ERROR "BATON_BOARD is '${BATON_BOARD}', but boards/${BATON_BOARD}/board.toml does not exist")
  endif()
  file(STRINGS ${description} line REGEX "^${key} *= *" LIMIT_COUNT 1)
  if(NOT line MATCHES "= *\"?([a-z0-9]+)\"?")
    message(FATAL_ERROR "boards/${BATON_BOARD}/board.toml: [emulator] ${key} is missing; avr.cmake compiles for it")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
_baton_board_value(BATON_MCU mcu)
_baton_board_value(BATON_HZ hz)
_baton_board_value(BATON_UART uart)

set(CMAKE_C_COMPILER avr-gcc)
set(CMAKE_CXX_COMPILER avr-g++)
# The plain ar writes no index for link-time optimised objects.
set(CMAKE_AR avr-gcc-ar)
set(CMAKE_RANLIB avr-gcc-ranlib)

# -mrelax: a call or jump within reach becomes the short form, a word and a cycle less.
# -fno-move-loop-invariants: AVR loads a constant in a cycle, and hoisting one out of a body's loop costs a saved register.
# -mstrict-X: the X register, which has no displacement, is not used as if it had one.
set(_baton_common "-mmcu=${BATON_MCU} -DF_CPU=${BATON_HZ}UL -ffunction-sections -fdata-sections -mrelax")
string(APPEND _baton_common " -fno-move-loop-invariants -mstrict-X")
set(CMAKE_C_FLAGS_INIT "${_baton_common}")
# -fno-jump-tables: a dense switch becomes comparisons, and no table is copied to RAM at start (AVR cannot read
# constants from flash as data). Static initialisation runs before interrupts are on, so it needs no guards.
set(CMAKE_CXX_FLAGS_INIT
    "${_baton_common} -std=gnu++14 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-jump-tables")
# -flto-partition=one: core's unused parts go because a mark that nobody sets is seen to be constant, and that is seen within a
# partition only; by default a larger program is cut into several.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections -flto-partition=one")
# To these CMake adds -Os; the presets select MinSizeRel. (In Release its -O3 would come last and win.)
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_FLAGS_MINSIZEREL_INIT "-flto")
endforeach()

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
