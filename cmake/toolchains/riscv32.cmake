# SPDX-License-Identifier: MIT
#
# riscv64-unknown-elf-g++ for the RV32 board that BATON_BOARD names (a preset sets it). The
# instruction set and the clock are read from boards/<board>/board.toml.
include(${CMAKE_CURRENT_LIST_DIR}/board.cmake)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv32)
set(BATON_PORT riscv32)
baton_board_value(BATON_CPU cpu)
baton_board_value(BATON_HZ hz)
baton_board_value(BATON_EMULATOR kind)

set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)
set(CMAKE_CXX_COMPILER riscv64-unknown-elf-g++)
set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)
# The plain ar writes no index for link-time optimised objects.
set(CMAKE_AR riscv64-unknown-elf-gcc-ar)
set(CMAKE_RANLIB riscv64-unknown-elf-gcc-ranlib)

# -misa-spec=2.2: the base instruction set contains the control registers, so that its name needs no
# extension for them. With a name that the compiler's libraries do not have, it would take those of
# RV64.
baton_bare_metal("-march=${BATON_CPU} -mabi=ilp32 -misa-spec=2.2")
