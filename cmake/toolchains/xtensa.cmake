# SPDX-License-Identifier: MIT
#
# xtensa-lx106-elf-g++ for the board that BATON_BOARD names (a preset sets it). The clock is read
# from boards/<board>/board.toml. The compiler is made for one core, so there is no core to choose:
# an LX6 has each of that core's instructions, and vectors of its own.
include(${CMAKE_CURRENT_LIST_DIR}/board.cmake)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR xtensa)
set(BATON_PORT xtensa)
baton_board_value(BATON_CPU cpu)
baton_board_value(BATON_HZ hz)
baton_board_value(BATON_EMULATOR kind none)

set(CMAKE_C_COMPILER xtensa-lx106-elf-gcc)
set(CMAKE_CXX_COMPILER xtensa-lx106-elf-g++)
set(CMAKE_ASM_COMPILER xtensa-lx106-elf-gcc)
# The plain ar writes no index for link-time optimised objects.
set(CMAKE_AR xtensa-lx106-elf-gcc-ar)
set(CMAKE_RANLIB xtensa-lx106-elf-gcc-ranlib)

set(vectors)
if(BATON_CPU STREQUAL lx6)
  set(vectors " -DBATON_LX6")
endif()
baton_bare_metal("-mlongcalls -mtext-section-literals${vectors}")
