# SPDX-License-Identifier: MIT
#
# Builds the programs of this tree: tests, examples, benchmarks. This file is not installed, and of
# no use outside.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/BatonBudgets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/BatonFrames.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/BatonMutants.cmake)

# Warnings are for this tree alone: they are linked PRIVATE, and users of the library never get
# them.
add_library(baton_warnings INTERFACE)
target_compile_options(baton_warnings INTERFACE ${BATON_WARNINGS})

# The command that runs a program of another architecture. The build of emulators/ makes a part of
# it.
set(BATON_RUNNER)
if(BATON_EMULATOR)
  set(BATON_RUNNER ${PROJECT_SOURCE_DIR}/emulators/run --board ${PROJECT_SOURCE_DIR}/boards/${BATON_BOARD}/board.toml)
endif()

# A program that its chip has no room for is told by how much, and what takes the bytes.
if(BATON_EMULATOR OR BATON_DEVICE)
  find_package(Python3 3.11 COMPONENTS Interpreter)
  if(Python3_FOUND AND CMAKE_HOST_UNIX)
    set(CMAKE_CXX_LINKER_LAUNCHER
        ${PROJECT_SOURCE_DIR}/tools/program_size/link ${Python3_EXECUTABLE}
        ${PROJECT_SOURCE_DIR}/boards/${BATON_BOARD}/board.toml ${CMAKE_NM})
  endif()
endif()

# A board may be unable to receive by an interrupt; programs that need <baton/board_serial.hpp> are
# left out there.
if(EXISTS ${PROJECT_SOURCE_DIR}/boards/${BATON_BOARD}/include/baton/board_serial.hpp)
  set(BATON_RECEIVES TRUE)
else()
  set(BATON_RECEIVES FALSE)
endif()

# Sets `result` to whether the selected board is among `boards`; no boards means all.
function(_baton_fits result boards)
  baton_refuse_unknown("${ARGN}" "")
  if(NOT boards OR BATON_BOARD IN_LIST boards)
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# baton_program_command(<result> <target> [LIMIT_MS <n>] [SEND <ms:text>])
#
# Sets `result` to the command that runs a program: directly on the host, in the emulator elsewhere.
# The program's mutants run by it, too.
#
# LIMIT_MS  emulated time after which the program is stopped; 60000 by default.
# SEND      bytes for the receiver in the emulator, as the runner's --send takes them.
function(baton_program_command result target)
  cmake_parse_arguments(PARSE_ARGV 2 run "" "LIMIT_MS;SEND" "")
  baton_refuse_unknown("${run_UNPARSED_ARGUMENTS}" "${run_KEYWORDS_MISSING_VALUES}")
  set(command $<TARGET_FILE:${target}>)
  if(BATON_RUNNER)
    if(NOT run_LIMIT_MS)
      set(run_LIMIT_MS 60000)
    endif()
    if(run_SEND)
      list(PREPEND command --send "${run_SEND}")
    endif()
    list(PREPEND command ${BATON_RUNNER} --limit-ms ${run_LIMIT_MS})
  endif()
  set_target_properties(${target} PROPERTIES BATON_COMMAND "${command}")
  set(${result} ${command} PARENT_SCOPE)
endfunction()

# The tests of the first build on this machine are compiled for a short time of compilation: half of
# what RelWithDebInfo takes. host-clang compiles the same tests with -O2. Say
# -DBATON_TEST_OPTIONS="-Og;-g3" to look at a test in a debugger.
set(options)
if(BATON_BOARD STREQUAL "host" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_FLAGS MATCHES "sanitize|coverage")
  set(options -O1 -g1)
endif()
set(BATON_TEST_OPTIONS ${options} CACHE STRING "Compiler options of the tests, after those of the build type")

# baton_test(<name> SOURCES <file>... [ON <board>...] [LINK <target>...] [LIMIT_MS <n>]
#            [LABELS <label>...] [EXPECT_FAILURE])
#
# Adds a test program of a module, on virtual time (port_sim) on every board:
# build/<preset>/tests/<name>, run by ctest, directly on the host and in the emulator elsewhere. Its
# console and its exit code are the board's, its harness is tests/support.
#
# ON        the boards that it is for; all of them by default.
# LIMIT_MS  simulated time after which a program that does not end is a failure; 60000 by default.
# EXPECT_FAILURE  the program must end by itself, with exit code 1.
function(baton_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "EXPECT_FAILURE" "LIMIT_MS" "SOURCES;ON;LINK;LABELS")
  baton_refuse_unknown("${test_UNPARSED_ARGUMENTS}" "${test_KEYWORDS_MISSING_VALUES}")
  _baton_fits(fits "${test_ON}")
  if(NOT fits)
    return()
  endif()
  add_executable(${name} ${test_SOURCES})
  target_compile_options(${name} PRIVATE ${BATON_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE baton_warnings baton::core baton::port_sim_core baton::board_io ${test_LINK})
  if(TARGET baton_test_support)
    target_link_libraries(${name} PRIVATE baton_test_support)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests BATON_VARIANT sim)
  baton_program_command(command ${name} LIMIT_MS "${test_LIMIT_MS}")
  if(test_EXPECT_FAILURE)
    add_test(NAME ${name} COMMAND sh -c "\"$@\"; test $? -eq 1" sh ${command})
  else()
    add_test(NAME ${name} COMMAND ${command})
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS "${test_LABELS}")
endfunction()

# baton_kernel_test(<name> SOURCES <file>... [ON_BOARD] [LIMIT_MS <n>] [LABELS <label>...])
#
# Adds a test program with a kernel, as baton_test does: on virtual time, in which a task is a fiber
# of Linux.
#
# ON_BOARD  the program runs on the board's own port instead, on every board whose port has a kernel
#           part. It has a main() of its own, which ends with board::finish(0) if all is well.
function(baton_kernel_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "ON_BOARD" "LIMIT_MS" "SOURCES;LABELS")
  baton_refuse_unknown("${test_UNPARSED_ARGUMENTS}" "${test_KEYWORDS_MISSING_VALUES}")
  if(test_ON_BOARD)
    set(links baton::kernel_board)
    set(fits BATON_PORT IN_LIST BATON_KERNEL_PORTS)
  else()
    set(links baton::board_io baton::port_sim baton_test_support)
    set(fits BATON_PORT STREQUAL "host")
  endif()
  if(NOT (${fits}))
    return()
  endif()
  add_executable(${name} ${test_SOURCES})
  target_compile_options(${name} PRIVATE ${BATON_TEST_OPTIONS})
  target_link_libraries(${name} PRIVATE baton_warnings ${links})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  baton_program_command(command ${name} LIMIT_MS "${test_LIMIT_MS}")
  add_test(NAME ${name} COMMAND ${command})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS "${test_LABELS}")
endfunction()

# baton_example(<NN_name>): builds examples/<NN_name>/*.cpp as build/<preset>/examples/<NN_name>, on
# every board except those that its example.toml excepts and those that lack one of its needs: a
# kernel, C++20, threads, a Cortex-M, Boost, services, or the libraries under components.
function(baton_example name)
  baton_refuse_unknown("${ARGN}" "")
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${name})
  file(STRINGS ${folder}/example.toml lacking REGEX "^except *=")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/example.toml)
  if(lacking MATCHES "\"${BATON_BOARD}\"")
    return()
  endif()
  # A board on a desk may lack a header that the boards of the emulators have.
  file(STRINGS ${folder}/main.cpp headers REGEX "^#include <baton/board_[a-z]+.hpp>")
  foreach(header IN LISTS headers)
    string(REGEX REPLACE ".*<(.*)>.*" "\\1" header "${header}")
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/boards/${BATON_BOARD}/include/${header})
      return()
    endif()
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(STRINGS ${folder}/example.toml has_kernel REGEX "^kernel *= *true")
  set(board baton::board)
  if(has_kernel)
    if(NOT TARGET baton::kernel_board)
      return()
    endif()
    set(board baton::kernel_board)
  endif()
  file(STRINGS ${folder}/example.toml has_async REGEX "^async *= *true")
  file(STRINGS ${folder}/example.toml has_threads REGEX "^threads *= *true")
  if((has_async AND NOT "cxx_std_20" IN_LIST CMAKE_CXX_COMPILE_FEATURES) OR (has_threads AND NOT BATON_PORT STREQUAL "host"))
    return()
  endif()
  if(has_async)
    list(APPEND board baton::async)
  endif()
  file(STRINGS ${folder}/example.toml has_cortex_m REGEX "^cortex_m *= *true")
  if(has_cortex_m AND NOT BATON_PORT MATCHES "^(cortex_m|nrf51)$")
    return()
  endif()
  file(STRINGS ${folder}/example.toml has_asio REGEX "^asio *= *true")
  if(has_asio)
    if(NOT TARGET baton_asio_host)
      return()
    endif()
    list(APPEND board baton::asio)
  endif()
  file(STRINGS ${folder}/example.toml has_service REGEX "^service *= *true")
  if(has_service)
    if(NOT BATON_BOARD STREQUAL "host")
      return()
    endif()
    list(APPEND board baton::service)
  endif()
  file(STRINGS ${folder}/example.toml has_components REGEX "^components *= *true")
  if(has_components)
    if(NOT TARGET baton_components_libraries)
      return()
    endif()
    list(APPEND board baton::components baton_components_libraries)
    if(has_asio)
      list(APPEND board baton::network)
    endif()
  endif()
  add_executable(example_${name} ${sources})
  target_link_libraries(example_${name} PRIVATE baton_warnings ${board})
  set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name}
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  baton_budget(example_${name})
endfunction()

# baton_bench(<suite> [SOURCES <file>...] [ON <board>...] [KERNEL]): builds
# build/<preset>/bench/bench_<suite>, from <suite>.cpp by default.
#
# KERNEL  the program has a kernel, and is left out on a board whose port has none.
#
# A toolchain for only some suites names them: BATON_SUITES.
function(baton_bench suite)
  cmake_parse_arguments(PARSE_ARGV 1 bench "KERNEL" "" "SOURCES;ON")
  baton_refuse_unknown("${bench_UNPARSED_ARGUMENTS}" "${bench_KEYWORDS_MISSING_VALUES}")
  if((bench_KERNEL AND NOT TARGET baton::kernel_board) OR (BATON_SUITES AND NOT suite IN_LIST BATON_SUITES))
    return()
  endif()
  if(NOT bench_SOURCES)
    set(bench_SOURCES ${suite}.cpp)
  endif()
  _baton_bench_program(bench_${suite} bench bench_${suite} "${bench_SOURCES}" "${bench_ON}")
  if(TARGET bench_${suite} AND TARGET baton_bench_harness)
    target_link_libraries(bench_${suite} PRIVATE baton_bench_harness)
  endif()
  if(bench_KERNEL AND TARGET bench_${suite})
    target_link_libraries(bench_${suite} PRIVATE baton::kernel_board)
  endif()
endfunction()

# baton_memory(<feature> SOURCES <file>... [ON <board>...] [DEFINES <macro>...] [KERNEL]): builds
# build/<preset>/bench/memory/<feature>. Only the linker's sizes of it are of interest, so no
# harness is linked.
function(baton_memory feature)
  cmake_parse_arguments(PARSE_ARGV 1 memory "KERNEL" "" "SOURCES;ON;DEFINES")
  baton_refuse_unknown("${memory_UNPARSED_ARGUMENTS}" "${memory_KEYWORDS_MISSING_VALUES}")
  if((memory_KERNEL AND NOT TARGET baton::kernel_board) OR (BATON_SUITES AND NOT memory IN_LIST BATON_SUITES))
    return()
  endif()
  _baton_bench_program(memory_${feature} bench/memory ${feature} "${memory_SOURCES}" "${memory_ON}")
  if(TARGET memory_${feature})
    target_compile_definitions(memory_${feature} PRIVATE ${memory_DEFINES})
    if(memory_KERNEL)
      target_link_libraries(memory_${feature} PRIVATE baton::kernel_board)
    endif()
    baton_budget(memory_${feature})
  endif()
endfunction()

function(_baton_bench_program target folder output sources boards)
  baton_refuse_unknown("${ARGN}" "")
  _baton_fits(fits "${boards}")
  if(NOT fits)
    return()
  endif()
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE baton_warnings baton::board)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${output}
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
endfunction()
