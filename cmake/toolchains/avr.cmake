# SPDX-License-Identifier: MIT
#
# avr-g++ for the board that BATON_BOARD names (a preset sets it). The chip and its clock are read
# from boards/<board>/board.toml.
include(${CMAKE_CURRENT_LIST_DIR}/board.cmake)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
set(BATON_DEVICE TRUE)
set(BATON_PORT avr)
baton_board_value(BATON_MCU mcu)
baton_board_value(BATON_HZ hz)
baton_board_value(BATON_UART uart)
baton_board_value(BATON_EMULATOR kind)

set(CMAKE_C_COMPILER avr-gcc)
set(CMAKE_CXX_COMPILER avr-g++)
# The plain ar writes no index for link-time optimised objects.
set(CMAKE_AR avr-gcc-ar)
set(CMAKE_RANLIB avr-gcc-ranlib)

# -mrelax: a call or jump within reach becomes the short form, which is a word and a cycle less.
# -fno-move-loop-invariants: AVR loads a constant in a cycle, and hoisting one out of a body's loop
#   costs a saved register.
# -mstrict-X: the X register has no displacement, and is not used as if it had one.
set(_baton_common "-mmcu=${BATON_MCU} -DF_CPU=${BATON_HZ}UL -ffunction-sections -fdata-sections -mrelax")
string(APPEND _baton_common " -fno-move-loop-invariants -mstrict-X")
set(CMAKE_C_FLAGS_INIT "${_baton_common}")
# -fno-jump-tables: a dense switch becomes comparisons, and no table is copied to RAM at start (AVR
# cannot read constants from flash as data). Static initialisation runs before interrupts are on, so
# it needs no guards.
set(CMAKE_CXX_FLAGS_INIT
    "${_baton_common} -std=gnu++14 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-jump-tables")
# -flto-partition=one: unused parts of core are dropped because the optimizer sees that a mark which
# is never set is constant. It sees that within a partition only, and by default cuts a larger
# program into several.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--gc-sections -flto-partition=one")
# CMake adds -Os to these flags; the presets select MinSizeRel. (In Release, -O3 would come last and
# win.)
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_FLAGS_MINSIZEREL_INIT "-flto")
endforeach()
