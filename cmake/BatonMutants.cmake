# SPDX-License-Identifier: MIT
#
# Mutants are copies of a source with one defect, which a test must notice. A mutant is an entry of
# the file mutants.toml beside its tests; README.md describes the entries.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/BatonArguments.cmake)

set(BATON_MUTANTS_FOLDER ${CMAKE_CURRENT_LIST_DIR}/mutants)
find_package(Python3 3.11 COMPONENTS Interpreter)

# A mutant that one compiler kills is killed with any other, and a sanitizer or a count of lines
# adds nothing: most mutants are for builds by g++ without either.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_FLAGS MATCHES "sanitize|coverage")
  set(BATON_MUTATES TRUE)
else()
  set(BATON_MUTATES FALSE)
endif()

# Builds every mutant. A plain build makes none; the build presets name this target beside `all`.
add_custom_target(mutants)

# A mutant is run once, so that the time to compile it counts: for this machine, it has no information
# for a debugger and fewer optimizations. Its OPTIONS stand behind these.
set(BATON_MUTANT_OPTIONS)
if(NOT CMAKE_CROSSCOMPILING)
  set(BATON_MUTANT_OPTIONS -O1 -g0)
endif()

# baton_mutants([<file>]): adds the mutants of the folder's mutants.toml, or of the file. Call it
# after their programs are complete.
function(baton_mutants)
  set(arguments ${ARGN} mutants.toml)
  list(POP_FRONT arguments file)
  list(POP_BACK arguments)
  baton_refuse_unknown("${arguments}" "")
  if(NOT Python3_VERSION VERSION_GREATER_EQUAL 3.11)
    message(STATUS "no mutants of ${CMAKE_CURRENT_SOURCE_DIR}/${file}: Python 3.11 is not installed (Debian: python3)")
    return()
  endif()
  cmake_path(ABSOLUTE_PATH file)
  cmake_path(GET file STEM stem)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${stem})
  file(GLOB scripts ${BATON_MUTANTS_FOLDER}/*.py)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file} ${scripts})
  file(STRINGS ${file} lines REGEX "^program *=")
  list(TRANSFORM lines REPLACE "^program *= *[\"']([^\"']*)[\"'].*" "\\1")
  list(REMOVE_DUPLICATES lines)
  set(content)
  foreach(program IN LISTS lines)
    if(TARGET ${program})
      _baton_program_sources(sources ${program})
      foreach(source IN LISTS sources)
        string(REPLACE "|" "\t" source "${source}")
        string(APPEND content "${program}\t${source}\n")
      endforeach()
    endif()
  endforeach()
  file(WRITE ${folder}/programs.txt "${content}")
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${BATON_MUTANTS_FOLDER}/mutants.py apply ${PROJECT_SOURCE_DIR} ${file} ${folder}
                          ${folder}/programs.txt
                  RESULT_VARIABLE code ERROR_VARIABLE error)
  if(code)
    message(FATAL_ERROR "${error}")
  endif()
  include(${folder}/mutants.cmake)
endfunction()

# baton_altered(<result> <file> <name>)
#
# Sets `result` to the altered source of an entry of a file like mutants.toml, for an ordinary
# program that is tested with it.
function(baton_altered result file name)
  baton_refuse_unknown("${ARGN}" "")
  set(${result} PARENT_SCOPE)
  if(NOT Python3_VERSION VERSION_GREATER_EQUAL 3.11)
    message(STATUS "no tests of ${CMAKE_CURRENT_SOURCE_DIR}: Python 3.11 is not installed (Debian: python3)")
    return()
  endif()
  cmake_path(ABSOLUTE_PATH file)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${BATON_MUTANTS_FOLDER}/mutants.py alter ${PROJECT_SOURCE_DIR} ${file} ${name}
                          ${CMAKE_CURRENT_BINARY_DIR}
                  RESULT_VARIABLE code OUTPUT_VARIABLE copy ERROR_VARIABLE error OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(code)
    message(FATAL_ERROR "${error}")
  endif()
  cmake_path(RELATIVE_PATH copy BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name} OUTPUT_VARIABLE original)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file} ${PROJECT_SOURCE_DIR}/${original})
  set(${result} ${copy} PARENT_SCOPE)
endfunction()

# baton_mutant(<name> PROGRAM <target> INCLUDE <root> COMPILE <file>... [IN_PLACE_OF <file name>...]
#              KILLED_BY <way>... [CONTROL <test>] [SAYS <regex>] [CASE <name>] [LIMIT_S <n>]
#              [LIMIT_MS <n>] [RUNS <n>] [ENVIRONMENT <name=value>] [OPTIONS <option>...]
#              [DEFINITIONS <macro>...] [UNITY])
#
# Adds the program and the test of one mutant. baton_mutants() calls this function; write mutants
# into a mutants.toml.
#
# PROGRAM      the ordinary test's program, whose options, libraries and command the mutant has,
#              too.
# INCLUDE      the root of the altered headers.
# COMPILE      the sources that include the altered headers or are altered themselves; the program's
#              other objects are linked as they are.
# IN_PLACE_OF  the sources of the program that COMPILE replaces.
# KILLED_BY    as mutants/kill.py takes it, and so are SAYS, CASE, LIMIT_S and RUNS.
# LIMIT_MS     limit of emulated time, in place of the program's.
# CONTROL      the test without a mutation, if the ordinary one is another program than this one.
# UNITY        COMPILE is one translation unit, which saves time where the sources include the same
#              headers.
function(baton_mutant name)
  cmake_parse_arguments(PARSE_ARGV 1 mutant "UNITY" "PROGRAM;INCLUDE;CONTROL;SAYS;CASE;LIMIT_S;LIMIT_MS;RUNS;ENVIRONMENT"
                        "COMPILE;IN_PLACE_OF;KILLED_BY;OPTIONS;DEFINITIONS")
  baton_refuse_unknown("${mutant_UNPARSED_ARGUMENTS}" "${mutant_KEYWORDS_MISSING_VALUES}")
  add_executable(${name} ${mutant_COMPILE})
  set(control ${mutant_CONTROL})
  if(control)
    add_dependencies(${name} ${control})
  else()
    add_dependencies(${name} ${mutant_PROGRAM})
    get_target_property(control ${mutant_PROGRAM} BATON_TEST)
    if(NOT control)
      set(control ${mutant_PROGRAM})
    endif()
  endif()
  if(NOT TEST ${control})
    message(FATAL_ERROR "mutant ${name}: no test '${control}' stands in this folder, which would show that ${mutant_PROGRAM} without a mutation is quiet")
  endif()
  _baton_like_program(${name} ${mutant_PROGRAM} "${mutant_INCLUDE}" "${BATON_MUTANT_OPTIONS};${mutant_OPTIONS}" "${mutant_DEFINITIONS}")
  _baton_unity(${name} ${mutant_UNITY})
  _baton_other_objects(${name} ${mutant_PROGRAM} "${mutant_IN_PLACE_OF}")
  _baton_mutant_test(${name} ${name} ${control})
endfunction()

# baton_chosen_mutant(<name> PROGRAM <target> CONTROL <target> CHOICE <name=value> KILLED_BY <way>...
#                     [SAYS <regex>] [CASE <name>] [LIMIT_S <n>] [RUNS <n>]
#                     [ENVIRONMENT <name=value>])
#
# Adds the test of one mutant of several in one program, which is the control without a choice.
# baton_mutants() calls this function.
function(baton_chosen_mutant name)
  cmake_parse_arguments(PARSE_ARGV 1 mutant "" "PROGRAM;CONTROL;CHOICE;SAYS;CASE;LIMIT_S;RUNS;ENVIRONMENT" "KILLED_BY")
  baton_refuse_unknown("${mutant_UNPARSED_ARGUMENTS}" "${mutant_KEYWORDS_MISSING_VALUES}")
  list(APPEND mutant_ENVIRONMENT ${mutant_CHOICE})
  _baton_mutant_test(${name} ${mutant_CONTROL} ${mutant_CONTROL})
endfunction()

# Adds the test of a mutant, with the arguments mutant_... of the caller.
macro(_baton_mutant_test name target control)
  baton_refuse_unknown("${ARGN}" "")
  list(JOIN mutant_KILLED_BY "," killed_by)
  set(how --killed-by ${killed_by})
  if(DEFINED mutant_SAYS)
    list(APPEND how --says ${mutant_SAYS})
  endif()
  if(DEFINED mutant_CASE)
    list(APPEND how --case ${mutant_CASE})
  endif()
  if(DEFINED mutant_RUNS)
    list(APPEND how --runs ${mutant_RUNS})
  endif()
  _baton_kill(${name} ${target} ${mutant_PROGRAM} "${mutant_LIMIT_S}" "${mutant_LIMIT_MS}" "${how}")
  get_test_property(${control} ENVIRONMENT environment)
  list(APPEND environment ${mutant_ENVIRONMENT})
  list(FILTER environment EXCLUDE REGEX "NOTFOUND$")
  get_test_property(${control} PROCESSORS processors)
  if(NOT processors)
    set(processors 1)
  endif()
  # If the control fails, the mutant's test does not run, and that is a failure.
  set_property(TEST ${control} APPEND PROPERTY FIXTURES_SETUP ${control})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${environment}" PROCESSORS ${processors} FIXTURES_REQUIRED ${control})
endmacro()

# baton_control(<name> PROGRAM <target> COMPILE <file>... [INCLUDE <root>]
#               [IN_PLACE_OF <file name>...] [CASES <name>...] [LIMIT_S <n>] [OPTIONS <option>...] [DEFINITIONS <macro>...]
#               [UNITY])
#
# Adds the control of mutants of a program with other options or definitions: the same program
# without a mutation, which must pass. A source is compiled once with the same options, for all
# programs of a variant that hold it; with UNITY the sources are one translation unit, like those of
# a mutant.
function(baton_control name)
  cmake_parse_arguments(PARSE_ARGV 1 control "UNITY" "PROGRAM;LIMIT_S;INCLUDE" "COMPILE;IN_PLACE_OF;CASES;OPTIONS;DEFINITIONS")
  baton_refuse_unknown("${control_UNPARSED_ARGUMENTS}" "${control_KEYWORDS_MISSING_VALUES}")
  set(objects)
  set(apart ${control_COMPILE})
  if(control_UNITY)
    set(objects ${control_COMPILE})
    set(apart)
  endif()
  get_target_property(variant ${control_PROGRAM} BATON_VARIANT)
  if(NOT variant)
    set(variant)
  endif()
  foreach(source IN LISTS apart)
    string(MD5 key "${source} ${control_INCLUDE} ${control_OPTIONS} ${control_DEFINITIONS} ${CMAKE_CURRENT_BINARY_DIR}${variant}")
    get_property(library GLOBAL PROPERTY BATON_CONTROL_${key})
    if(NOT library)
      cmake_path(GET source STEM library)
      string(SUBSTRING ${key} 0 6 key_begin)
      string(PREPEND library control_of_${key_begin}_)
      add_library(${library} OBJECT EXCLUDE_FROM_ALL ${source})
      _baton_like_program(${library} ${control_PROGRAM} "${control_INCLUDE}" "${control_OPTIONS}" "${control_DEFINITIONS}")
      set_property(GLOBAL PROPERTY BATON_CONTROL_${key} ${library})
    endif()
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()
  add_executable(${name} ${objects})
  _baton_like_program(${name} ${control_PROGRAM} "${control_INCLUDE}" "${control_OPTIONS}" "${control_DEFINITIONS}")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  _baton_unity(${name} ${control_UNITY})
  _baton_other_objects(${name} ${control_PROGRAM} "${control_IN_PLACE_OF}")
  set(how --survives)
  foreach(case IN LISTS control_CASES)
    list(APPEND how --case ${case})
  endforeach()
  _baton_kill(${name} ${name} ${control_PROGRAM} "${control_LIMIT_S}" "" "${how}")
endfunction()

# Sets `result` to the sources of a program, as "own|<path>", and of the libraries of this tree that
# it links, as "library|<path>".
function(_baton_program_sources result program)
  baton_refuse_unknown("${ARGN}" "")
  set(all)
  set(kind own)
  set(seen)
  set(todo ${program})
  get_target_property(variant ${program} BATON_VARIANT)
  if(NOT variant)
    set(variant host)
  endif()
  while(NOT todo STREQUAL "")
    list(POP_FRONT todo target)
    while(target MATCHES "^\\$<(BUILD_INTERFACE|LINK_ONLY):(.*)>$")
      set(target ${CMAKE_MATCH_2})
    endwhile()
    if(NOT TARGET ${target})
      continue()
    endif()
    get_target_property(alias ${target} ALIASED_TARGET)
    if(alias)
      set(target ${alias})
    endif()
    get_target_property(imported ${target} IMPORTED)
    if(target IN_LIST seen OR imported)
      continue()
    endif()
    list(APPEND seen ${target})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" OR type STREQUAL "STATIC_LIBRARY")
      get_target_property(sources ${target} SOURCES)
      get_target_property(folder ${target} SOURCE_DIR)
      foreach(source IN LISTS sources)
        if(NOT source MATCHES "^\\$<")
          cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
          list(APPEND all "${kind}|${source}")
        endif()
      endforeach()
    endif()
    set(links INTERFACE_LINK_LIBRARIES)
    if(type STREQUAL "EXECUTABLE")
      set(links LINK_LIBRARIES)
    elseif(type STREQUAL "STATIC_LIBRARY")
      set_property(TARGET ${program} APPEND PROPERTY BATON_LIBRARIES ${target})
    endif()
    get_target_property(links ${target} ${links})
    string(REPLACE "${BATON_PROGRAMS_VARIANT}" "${variant}" links "${links}")
    if(links)
      list(APPEND todo ${links})
    endif()
    set(kind library)
  endwhile()
  set(${result} ${all} PARENT_SCOPE)
endfunction()

# Compiles and links the target with the options of the program.
function(_baton_like_program target program include options definitions)
  baton_refuse_unknown("${ARGN}" "")
  foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS COMPILE_FEATURES INCLUDE_DIRECTORIES LINK_LIBRARIES LINK_OPTIONS
                            CXX_STANDARD BATON_VARIANT)
    get_target_property(value ${program} ${property})
    if(NOT value)
      set(value)
    endif()
    if(property STREQUAL "INCLUDE_DIRECTORIES")
      get_target_property(folder ${program} SOURCE_DIR)
      list(PREPEND value ${include})
      get_target_property(libraries ${program} BATON_LIBRARIES)
      foreach(library IN LISTS libraries)
        if(TARGET ${library})
          list(APPEND value $<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>)
        endif()
      endforeach()
    elseif(property STREQUAL "COMPILE_OPTIONS")
      list(APPEND value ${options})
    elseif(property STREQUAL "COMPILE_DEFINITIONS")
      list(APPEND value ${definitions})
    endif()
    set_property(TARGET ${target} PROPERTY ${property} ${value})
  endforeach()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
endfunction()

# Compiles the target's own sources as one translation unit, if `is_unity`.
function(_baton_unity target is_unity)
  baton_refuse_unknown("${ARGN}" "")
  if(is_unity)
    # A unit includes a source like a header. g++ warns of an anonymous type there that outlives it.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

# Links the program's objects, except those of some sources.
function(_baton_other_objects target program in_place_of)
  baton_refuse_unknown("${ARGN}" "")
  get_target_property(sources ${program} SOURCES)
  set(others)
  foreach(source IN LISTS sources)
    cmake_path(GET source FILENAME file)
    if(NOT source MATCHES "^\\$<" AND NOT file IN_LIST in_place_of)
      string(REPLACE "." "[.]" file "${file}")
      list(APPEND others $<FILTER:$<TARGET_OBJECTS:${program}>,INCLUDE,/${file}[.]o>)
    elseif(source MATCHES "^\\$<")
      list(APPEND others ${source})
    endif()
  endforeach()
  target_sources(${target} PRIVATE ${others})
endfunction()

# Adds the test, with the label `mutant`: the program's command with another program in it, under mutants/kill.py.
function(_baton_kill test target program limit_s limit_ms how)
  baton_refuse_unknown("${ARGN}" "")
  get_target_property(command ${program} BATON_COMMAND)
  if(NOT command)
    set(command $<TARGET_FILE:${program}>)
  endif()
  string(REPLACE "$<TARGET_FILE:${program}>" "$<TARGET_FILE:${target}>" command "${command}")
  if(NOT limit_ms STREQUAL "")
    string(REGEX REPLACE "--limit-ms;[0-9]+" "--limit-ms;${limit_ms}" command "${command}")
  endif()
  if(limit_s STREQUAL "")
    set(limit_s 100)
  endif()
  math(EXPR timeout "${limit_s} + 60")
  add_test(NAME ${test} COMMAND ${Python3_EXECUTABLE} -B ${BATON_MUTANTS_FOLDER}/kill.py --limit-s ${limit_s} ${how} -- ${command})
  set_tests_properties(${test} PROPERTIES TIMEOUT ${timeout} LABELS mutant)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  add_dependencies(mutants ${target})
endfunction()
