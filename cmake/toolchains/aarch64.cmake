# SPDX-License-Identifier: MIT
#
# aarch64-linux-gnu-g++, without Linux and without its C library, for the board that BATON_BOARD
# names (a preset sets it). The core and the rate of its timer are read from
# boards/<board>/board.toml.
include(${CMAKE_CURRENT_LIST_DIR}/board.cmake)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(BATON_PORT aarch64)
baton_board_value(BATON_CPU cpu)
baton_board_value(BATON_HZ hz)
baton_board_value(BATON_EMULATOR kind)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_ASM_COMPILER aarch64-linux-gnu-gcc)
# The plain ar writes no index for link-time optimised objects.
set(CMAKE_AR aarch64-linux-gnu-gcc-ar)
set(CMAKE_RANLIB aarch64-linux-gnu-gcc-ranlib)

# -fno-pic, -no-pie: by default Debian's compiler makes programs that may be loaded anywhere.
# -mno-outline-atomics: the outlined atomics ask Linux for the abilities of the core.
# -fno-stack-protector: there is no system to report to. -U: nothing of Linux exists here, in
# particular no thread-local variables.
set(_machine "-mcpu=${BATON_CPU} -mno-outline-atomics -fno-pic -fno-pie -no-pie -fno-stack-protector")
foreach(name IN ITEMS linux __linux __linux__ __gnu_linux__ unix __unix __unix__)
  string(APPEND _machine " -U${name}")
endforeach()
baton_bare_metal("${_machine}")
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -static -Wl,--build-id=none,-z,max-page-size=4096")
