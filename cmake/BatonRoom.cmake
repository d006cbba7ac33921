# SPDX-License-Identifier: MIT
include_guard(GLOBAL)
include(GNUInstallDirs)
include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

# Boards that compile each header of core and of their port alone; one a port is enough.
set(BATON_VERIFYING_BOARDS host nano mps2-an386 microbit versatilepb aarch64 esp32c3 esp8266)

set(BATON_WARNINGS -Wall -Wextra -Wpedantic -Werror)

# baton_room(NAME <room> [DEPENDS <room>...] [VERIFY_WITH <room>...] [NO_VERIFY] [INSTALL_TO <folder>])
#
# A header-only room: the target baton_<room>, named baton::<room> by everybody else, whose one include root is
# ./include.
#
# DEPENDS      rooms that it links, without the prefix; what cmake/rooms.cmake does not allow stops the configuration.
# VERIFY_WITH  each header is compiled alone as a user of these rooms would: for core, whose <baton/port.hpp> a port
#              supplies.
# NO_VERIFY    the headers do not compile with this toolchain (another architecture's registers).
# INSTALL_TO   the installed include root, under the prefix; ports and boards have roots of their own because each of
#              them supplies the same <baton/port.hpp> or <baton/board.hpp>.
function(baton_room)
  cmake_parse_arguments(PARSE_ARGV 0 room "NO_VERIFY" "NAME;INSTALL_TO" "DEPENDS;VERIFY_WITH")
  set(target baton_${room_NAME})
  set(root ${CMAKE_CURRENT_SOURCE_DIR}/include)
  if(NOT room_INSTALL_TO)
    set(room_INSTALL_TO ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${root}/*.hpp ${root}/*.h)

  add_library(${target} INTERFACE)
  add_library(baton::${room_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room_NAME})
  target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
  target_compile_features(${target} INTERFACE cxx_std_14)
  list(TRANSFORM room_DEPENDS PREPEND baton_ OUTPUT_VARIABLE depends)
  target_link_libraries(${target} INTERFACE ${depends})
  set_property(GLOBAL APPEND PROPERTY BATON_ROOMS ${room_NAME})
  install(TARGETS ${target} EXPORT baton FILE_SET HEADERS DESTINATION ${room_INSTALL_TO})
  if(NOT headers)
    install(DIRECTORY DESTINATION ${room_INSTALL_TO})  # the package names it, and CMake wants it to be there
  endif()

  if(PROJECT_IS_TOP_LEVEL)
    # The targets that compile the headers alone take their private options from the folder. Users get none of these.
    add_compile_options(${BATON_WARNINGS})
  endif()
  if(headers AND NOT room_NO_VERIFY)
    _baton_verify_headers(${target} ${root} "${headers}" "${room_VERIFY_WITH}")
  endif()
endfunction()

# Lets CMake compile each header alone (target all_verify_interface_header_sets, part of every build preset). The
# include path is the room's own root and what it links, so a header of a room that it does not link is not found.
function(_baton_verify_headers target root headers with)
  if(NOT with)
    set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    return()
  endif()
  foreach(room IN LISTS with)
    set(verified ${target}_on_${room})
    add_library(${verified} INTERFACE)
    target_sources(${verified} INTERFACE FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
    target_link_libraries(${verified} INTERFACE baton_${room})
    set_target_properties(${verified} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endforeach()
endfunction()
