# SPDX-License-Identifier: MIT
#
# Installs files for pkg-config, for programs of Linux that are built without CMake: one per module,
# as its row in modules.json says, and one for the board. The port is the host's, and the variant of
# the libraries is `host`. The folder of a file gives the prefix, so an installation may be moved.
include(${CMAKE_CURRENT_LIST_DIR}/BatonArguments.cmake)

# _baton_pkg_config(<module> DESCRIPTION <text> [REQUIRES <package>...] [FOLDERS_OF <module>...]
#                   [FLAGS <flag>...] [LIBRARY <target>] [NEEDS <target>] [LINKS <flag>...])
#
# REQUIRES    the packages of pkg-config that users of this one need.
# FOLDERS_OF  the modules whose include roots this file names.
# LIBRARY     the module's library. Without it in the build folder, the file is not installed.
# NEEDS       the library of another module, for a module of headers that does not work without it. The
#             file stands beside that of the library, and is installed with it alone.
function(_baton_pkg_config module)
  cmake_parse_arguments(PARSE_ARGV 1 package "" "DESCRIPTION;LIBRARY;NEEDS" "REQUIRES;FOLDERS_OF;FLAGS;LINKS")
  baton_refuse_unknown("${package_UNPARSED_ARGUMENTS}" "${package_KEYWORDS_MISSING_VALUES}")
  set(flags)
  foreach(other IN LISTS package_FOLDERS_OF)
    get_target_property(folder baton_${other} BATON_INSTALL_TO)
    if(folder AND NOT folder STREQUAL CMAKE_INSTALL_INCLUDEDIR)  # prefix/include comes with core
      list(APPEND flags "-I\${prefix}/${folder}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES flags)
  if(module STREQUAL "core")
    list(PREPEND flags "-I\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
  endif()
  list(APPEND flags ${package_FLAGS})
  set(place ${CMAKE_INSTALL_DATADIR}/pkgconfig)
  set(links ${package_LINKS})
  set(needed ${package_LIBRARY} ${package_NEEDS})
  if(needed)
    set(place ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
  if(package_LIBRARY)
    list(PREPEND links "-L\${prefix}/${CMAKE_INSTALL_LIBDIR}/baton" "-l${package_LIBRARY}")
  endif()
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${place} OUTPUT_VARIABLE up)
  string(REPLACE "_" "-" name baton-${module})
  list(JOIN package_REQUIRES " " requires)
  list(JOIN flags " " flags)
  list(JOIN links " " links)
  set(file ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc)
  file(CONFIGURE OUTPUT ${file} @ONLY CONTENT [[
prefix=${pcfiledir}/@up@

Name: @name@
Description: @package_DESCRIPTION@
URL: @PROJECT_HOMEPAGE_URL@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: @flags@
Libs: @links@
]])
  if(needed)
    install(CODE "
      if(EXISTS \"$<TARGET_FILE:${needed}>\")
        file(INSTALL \"${file}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${place}\")
      endif()")
  else()
    install(FILES ${file} DESTINATION ${place})
  endif()
endfunction()

# The folders and flags that a module's file has besides its row: a program links one port.
set(folders_of_core core port_host_core port_host_common_core)
set(folders_of_kernel kernel port_host port_fibers port_fibers_x86_64)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(folders_of_kernel kernel port_host port_fibers port_fibers_aarch64)
endif()
set(flags_of_kernel -fno-ipa-reference)  # other tasks run during a call: see ports/CMakeLists.txt
set(links_of_service -pthread)

foreach(module IN LISTS BATON_TABLE_MODULES ITEMS network tls)
  if(NOT TARGET baton_${module} OR module STREQUAL "compat")  # compat is for sketches
    continue()
  endif()
  baton_module_list(requires ${module} links)
  if(module STREQUAL "network")
    set(requires components asio service)
  elseif(module STREQUAL "tls")
    set(requires network)
  endif()
  list(TRANSFORM requires PREPEND baton-)
  if(module STREQUAL "tls")
    list(APPEND requires libssl libcrypto)
  endif()
  if(NOT folders_of_${module})
    set(folders_of_${module} ${module})
  endif()
  set(more)  # a key without a value is an error
  if(TARGET baton_${module}_host)
    list(APPEND more LIBRARY baton_${module}_host)
  elseif("baton-service" IN_LIST requires)
    list(APPEND more NEEDS baton_service_host)
  endif()
  if(requires)
    list(APPEND more REQUIRES ${requires})
  endif()
  get_target_property(definitions baton_${module} INTERFACE_COMPILE_DEFINITIONS)
  if(definitions)
    list(TRANSFORM definitions PREPEND -D)
    set(flags_of_${module} ${definitions})
  endif()
  foreach(key IN ITEMS flags links)
    if(${key}_of_${module})
      string(TOUPPER ${key} name)
      list(APPEND more ${name} ${${key}_of_${module}})
    endif()
  endforeach()
  baton_module_value(standard ${module} standard 20)
  _baton_pkg_config(${module} DESCRIPTION "Baton's module ${module} on Linux, for C++${standard} or later"
                    FOLDERS_OF ${folders_of_${module}} ${more})
endforeach()
_baton_pkg_config(board_host DESCRIPTION "Baton's board host: console, LED and start-up of a program on Linux"
                  REQUIRES baton-devices FOLDERS_OF board_host_io family_hosted)
