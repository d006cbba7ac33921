# SPDX-License-Identifier: MIT
#
# arm-none-eabi-g++ for the board that BATON_BOARD names (a preset sets it). The core and its clock
# are read from boards/<board>/board.toml.
include(${CMAKE_CURRENT_LIST_DIR}/board.cmake)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
baton_board_value(BATON_CPU cpu)
baton_board_value(BATON_HZ hz)
baton_board_value(BATON_EMULATOR kind none)

set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
set(CMAKE_ASM_COMPILER arm-none-eabi-gcc)
# The plain ar writes no index for link-time optimised objects.
set(CMAKE_AR arm-none-eabi-gcc-ar)
set(CMAKE_RANLIB arm-none-eabi-gcc-ranlib)

if(BATON_CPU MATCHES "^cortex-m")
  baton_board_value(BATON_PORT port cortex_m)
  set(_baton_machine "-mcpu=${BATON_CPU} -mthumb")
  if(BATON_CPU MATCHES "^cortex-m0")
    # ARMv6-M jumps through a table by calling a function of the compiler's library: comparisons are
    # faster.
    string(APPEND _baton_machine " -fno-jump-tables")
  endif()
  baton_bare_metal("${_baton_machine}")
else()
  set(BATON_PORT armv5)
  baton_bare_metal("-mcpu=${BATON_CPU} -marm")
endif()
