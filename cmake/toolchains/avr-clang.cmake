# SPDX-License-Identifier: MIT
#
# Clang for the AVR board that BATON_BOARD names, for C++20, which avr-g++ does not support: PyPI's
# ziglang, by way of the scripts beside this file. avr-gcc links its objects, with the chip's
# start-up code and avr-libc.
include(${CMAKE_CURRENT_LIST_DIR}/board.cmake)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR avr)
set(BATON_DEVICE TRUE)
set(BATON_PORT avr)
baton_board_value(BATON_MCU mcu)
baton_board_value(BATON_HZ hz)
baton_board_value(BATON_UART uart)
baton_board_value(BATON_EMULATOR kind)

# Builds those programs of this tree that need C++20, the modules below them, the examples, and the
# sizes of core's features; the preset nano builds the others. The kernel's part of the port is
# written in the assembly of avr-gcc.
set(BATON_PROGRAM_FOLDERS tests/support core/tests async/tests bench examples)
set(BATON_SUITES async memory)
set(BATON_KERNEL_LEFT_OUT TRUE)

set(CMAKE_C_COMPILER ${CMAKE_CURRENT_LIST_DIR}/avr-clang)
set(CMAKE_CXX_COMPILER ${CMAKE_CURRENT_LIST_DIR}/avr-clang++)
set(CMAKE_AR avr-ar)
set(CMAKE_RANLIB avr-ranlib)
set(CMAKE_NM avr-nm)
set(CMAKE_OBJDUMP avr-objdump)

# avr-libc identifies a chip by a macro that avr-gcc derives from -mmcu: atmega328p is
# __AVR_ATmega328P__.
string(REGEX MATCH "[0-9].*" _baton_letters ${BATON_MCU})
string(TOUPPER ${_baton_letters} _baton_letters)
set(_baton_common "-mmcu=${BATON_MCU} -mcpu=${BATON_MCU} -D__AVR_ATmega${_baton_letters}__ -DF_CPU=${BATON_HZ}UL")
string(APPEND _baton_common " -isystem /usr/lib/avr/include -ffunction-sections -fdata-sections")
# externally_visible tells avr-gcc to keep a symbol; clang needs only `used`. avr-libc's ISR() has
# both.
string(APPEND _baton_common " -Dexternally_visible=used")
set(CMAKE_C_FLAGS_INIT "${_baton_common}")
set(CMAKE_CXX_FLAGS_INIT "${_baton_common} -fno-exceptions -fno-rtti -fno-threadsafe-statics -fuse-cxa-atexit")
# This clang passes every class by copying its bytes: async/include/baton/async/language.hpp.
string(APPEND CMAKE_CXX_FLAGS_INIT " '-DBATON_MOVES_AS_BYTES=[[clang::trivial_abi]]'")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-mmcu=${BATON_MCU} -Wl,--gc-sections -mrelax")
set(CMAKE_CXX_LINK_EXECUTABLE "avr-gcc <CMAKE_CXX_LINK_FLAGS> <LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(CMAKE_C_LINK_EXECUTABLE ${CMAKE_CXX_LINK_EXECUTABLE})

# The compiler cannot link, so CMake tries it with a library.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
