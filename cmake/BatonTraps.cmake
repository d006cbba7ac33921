# SPDX-License-Identifier: MIT
#
# The kernel's part of a port for a program with macros of its own. It is there for every project that
# contains this folder.

# baton_own_traps(<target> [<definition>...])
#
# Compiles the kernel's part of the port into a program, with the program's options and definitions,
# in place of the library that the other programs share. Call it after the program links its port.
function(baton_own_traps target)
  target_compile_definitions(${target} PRIVATE ${ARGN})
  if(NOT TARGET baton_port_${BATON_PORT}_traps)
    return()
  endif()
  get_target_property(traps baton_port_${BATON_PORT}_traps SOURCES)
  get_target_property(folder baton_port_${BATON_PORT}_traps SOURCE_DIR)
  foreach(source IN LISTS traps)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    target_sources(${target} PRIVATE ${source})
    # What is measured is compiled as in the library, but for a program that is not optimized.
    get_source_file_property(options ${source} TARGET_DIRECTORY baton_port_${BATON_PORT}_traps COMPILE_OPTIONS)
    if(options)
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS
                                  "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:BATON_UNOPTIMIZED>>>:${options}>")
    endif()
  endforeach()
  target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:baton_port_${BATON_PORT}_traps,INCLUDE_DIRECTORIES>)
endfunction()
