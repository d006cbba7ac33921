# SPDX-License-Identifier: MIT
#
# Holds the common part of the toolchain files of boards: reads the board's own description,
# boards/<BATON_BOARD>/board.toml, line by line, and sets the flags that bare-metal boards share.

include(${CMAKE_CURRENT_LIST_DIR}/../BatonArguments.cmake)

# CMake reads a toolchain file again for its compiler checks, in a project of its own that knows
# only these variables.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BATON_BOARD)
cmake_path(SET _baton_boards NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../boards)
cmake_path(SET _baton_families NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../families)

# baton_board_value(<result> <key> [<default>]): reads the value of the first line `key = value`, a
# word or a number.
function(baton_board_value result key)
  set(default ${ARGN})
  list(POP_FRONT default)
  baton_refuse_unknown("${default}" "")
  set(description ${_baton_boards}/${BATON_BOARD}/board.toml)
  if(NOT EXISTS ${description})
    message(FATAL_ERROR "BATON_BOARD is '${BATON_BOARD}', but boards/${BATON_BOARD}/board.toml does not exist")
  endif()
  file(STRINGS ${description} line REGEX "^${key} *= *" LIMIT_COUNT 1)
  if(NOT line AND ARGC GREATER 2)
    set(line "${key} = ${ARGV2}")
  endif()
  if(NOT line MATCHES "= *\"?([a-z0-9_-]+)\"?")
    message(FATAL_ERROR "boards/${BATON_BOARD}/board.toml: ${key} is missing; the toolchain file needs it")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

# baton_bare_metal(<machine flags>): sets the flags of a board without an operating system and
# without a C library. It is a macro, because it sets the toolchain's variables.
#
# -idirafter: offers a <stdint.h> that the compiler's own finds. (-ffreestanding has one, but then
#   main is a function like any other, and must not end without a return.)
# -fuse-cxa-atexit: static destructors are registered with a function that families/bare_metal makes
#   empty, and are dropped.
# -flto-partition=one: unused parts of core are dropped because the optimizer sees that a mark which
#   is never set is constant. It sees that within a partition only.
macro(baton_bare_metal machine)
  baton_refuse_unknown("${ARGN}" "")
  set(BATON_DEVICE TRUE)
  set(_baton_common "${machine} -DBATON_CPU_HZ=${BATON_HZ}UL -ffunction-sections -fdata-sections")
  string(APPEND _baton_common " -fno-asynchronous-unwind-tables -idirafter ${_baton_families}/bare_metal/libc")
  set(CMAKE_C_FLAGS_INIT "${_baton_common}")
  set(CMAKE_ASM_FLAGS_INIT "${machine}")
  set(CMAKE_CXX_FLAGS_INIT
      "${_baton_common} -fno-exceptions -fno-rtti -fno-threadsafe-statics -fuse-cxa-atexit -fno-unwind-tables")
  set(CMAKE_EXE_LINKER_FLAGS_INIT "${machine} -nostdlib -nostartfiles -Wl,--gc-sections -flto-partition=one")
  # CMake adds -Os to these flags; the presets select MinSizeRel.
  foreach(language IN ITEMS C CXX)
    set(CMAKE_${language}_FLAGS_MINSIZEREL_INIT "-flto")
  endforeach()
  # A program needs the board's start-up code and linker script, so the compiler is tried with a
  # library.
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
endmacro()

set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
