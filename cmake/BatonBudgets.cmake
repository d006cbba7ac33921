# SPDX-License-Identifier: MIT
#
# Limits the bytes of the examples and of the programs of the suite memory:
# bench/baselines/<board>/budgets.toml has the limits, for the builds of its figures (MinSizeRel). A
# build that exceeds one fails, with the program's bytes by symbol. A build with a program that has
# no budget fails with the line to add. See tools/program_size.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/BatonArguments.cmake)

# baton_budget(<target>): requires a budget for the program, under the name of its file.
function(baton_budget target)
  baton_refuse_unknown("${ARGN}" "")
  set_property(GLOBAL APPEND PROPERTY BATON_BUDGETED ${target})
endfunction()

# baton_check_budgets(): adds the target `budgets`, part of all. Called once, after every program.
function(baton_check_budgets)
  baton_refuse_unknown("${ARGN}" "")
  set(description ${PROJECT_SOURCE_DIR}/boards/${BATON_BOARD}/board.toml)
  set(budgets ${PROJECT_SOURCE_DIR}/bench/baselines/${BATON_BOARD}/budgets.toml)
  cmake_path(ABSOLUTE_PATH CMAKE_CURRENT_FUNCTION_LIST_DIR NORMALIZE OUTPUT_VARIABLE folder)
  cmake_path(GET folder PARENT_PATH folder)
  string(APPEND folder /tools/program_size)
  get_property(targets GLOBAL PROPERTY BATON_BUDGETED)
  file(STRINGS ${description} chip REGEX "^\\[memory\\]")
  if(NOT chip OR NOT targets)
    return()
  endif()
  if(NOT CMAKE_BUILD_TYPE STREQUAL "MinSizeRel")
    message(STATUS "budgets: not checked, they are for MinSizeRel and this is '${CMAKE_BUILD_TYPE}'")
    return()
  endif()
  find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
  list(TRANSFORM targets REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE programs)
  file(GLOB scripts CONFIGURE_DEPENDS ${folder}/*.py ${folder}/../elf.py)
  file(GLOB known CONFIGURE_DEPENDS ${budgets})
  set(stamp ${PROJECT_BINARY_DIR}/budgets.stamp)
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${Python3_EXECUTABLE} ${folder}/program-size --board ${description} --budgets ${budgets} --nm ${CMAKE_NM}
            ${programs}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${targets} ${description} ${known} ${folder}/program-size ${scripts}
    COMMENT "Checking the programs' budgets"
    VERBATIM)
  add_custom_target(budgets ALL DEPENDS ${stamp})
endfunction()
