# SPDX-License-Identifier: MIT
#
# Reports how large the frame of each coroutine of C++20 is in build/<preset>/frames.txt, as a part
# of every build with such programs.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/BatonArguments.cmake)

# baton_frames(<target>): reports the program's coroutines. It is compiled with -g, which changes no
# code.
function(baton_frames target)
  baton_refuse_unknown("${ARGN}" "")
  target_compile_options(${target} PRIVATE -g)
  set_property(GLOBAL APPEND PROPERTY BATON_WITH_FRAMES ${target})
endfunction()

# baton_report_frames(): adds the target `frames`, part of all. Called once, after every program.
function(baton_report_frames)
  baton_refuse_unknown("${ARGN}" "")
  get_property(targets GLOBAL PROPERTY BATON_WITH_FRAMES)
  if(NOT targets OR CMAKE_CXX_FLAGS MATCHES "sanitize|coverage")
    return()
  endif()
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
  list(TRANSFORM targets REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE programs)
  set(script ${PROJECT_SOURCE_DIR}/tools/frame_sizes/frame-sizes)
  set(report ${PROJECT_BINARY_DIR}/frames.txt)
  add_custom_command(
    OUTPUT ${report}
    COMMAND ${Python3_EXECUTABLE} ${script} -o ${report} ${programs}
    DEPENDS ${targets} ${script}
    COMMENT "Reporting the frames of coroutines: ${report}"
    VERBATIM)
  add_custom_target(frames ALL DEPENDS ${report})
endfunction()
