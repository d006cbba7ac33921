# SPDX-License-Identifier: MIT
#
# Builds programs of Linux on AArch64, which QEMU's user mode runs on any other Linux.
include(${CMAKE_CURRENT_LIST_DIR}/board.cmake)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(BATON_PORT host)
baton_board_value(BATON_EMULATOR kind)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)

# -static: the other architecture's libraries need not be where the program looks for its own.
# -no-pie: the marks of a measured interval are at the addresses in the program's file.
set(CMAKE_C_FLAGS_INIT "-fno-pie")
set(CMAKE_CXX_FLAGS_INIT "-fno-pie")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -no-pie")
