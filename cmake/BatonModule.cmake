# SPDX-License-Identifier: MIT
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/BatonArguments.cmake)
include(GNUInstallDirs)
include(${CMAKE_CURRENT_LIST_DIR}/modules.cmake)

# Boards that compile each header of core and of their port alone; one board per port is enough.
set(BATON_VERIFYING_BOARDS host nano nano-clang mps2-an386 microbit versatilepb aarch64 esp32c3 esp8266)

# Ports that have a kernel part: ports/<port>/kernel. A board on another port builds no program with
# a kernel.
set(BATON_KERNEL_PORTS host cortex_m nrf51 armv5 riscv32)

set(BATON_WARNINGS -Wall -Wextra -Wpedantic -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 22)
  # This clang warns of later standards' features that compilers have always had: __COUNTER__, and
  # ISR(vector) without an attribute after it.
  list(APPEND BATON_WARNINGS -Wno-c2y-extensions -Wno-variadic-macro-arguments-omitted)
endif()

# Modules with sources are compiled to libraries, one for each variant. A variant is a port; its
# name is in the inline namespace of all names of its library (baton/core/variant.hpp). A program
# links the variant of its property BATON_VARIANT: host by default, host_checked, or sim for virtual
# time. It links one alone, because core's names are the same in all.
define_property(TARGET PROPERTY BATON_VARIANT BRIEF_DOCS "The variant of Baton's libraries that a program links: host, host_checked, sim")
set(BATON_PROGRAMS_VARIANT "$<IF:$<STREQUAL:$<TARGET_PROPERTY:BATON_VARIANT>,>,host,$<TARGET_PROPERTY:BATON_VARIANT>>")

# baton_module(NAME <module> [DEPENDS <module>...] [VERIFY_WITH <module>...] [NO_VERIFY]
#              [INSTALL_TO <folder>] [NO_HEADERS] [SOURCES <file>... [VARIANTS <variant>...]])
#
# Adds the target baton_<module>; others link it as baton::<module>. Its row in modules.json names
# its folder of headers (./include by default), its standard of C++ (14 by default), and its links:
# modules, and libraries of others, whose packages are found by the program that links the module.
#
# DEPENDS      the links of a module that has no row, such as a port or a board, without the prefix.
#              A link that the table does not allow stops the configuration.
# NO_HEADERS   the module's headers are those of a module that it links.
# SOURCES      the sources that are compiled once, to the static libraries
#              baton_<module>_<variant>. A program links the library of its variant, which is built
#              when a program needs it.
# VARIANTS     the variants of the sources; all by default.
# VERIFY_WITH  compiles each header alone as a user of these modules would: for core, whose
#              <baton/port.hpp> a port supplies.
# NO_VERIFY    the headers do not compile with this toolchain (another architecture's registers).
# INSTALL_TO   the installed include root, under the prefix; ports and boards have roots of their
#              own because each of them supplies the same <baton/port.hpp> or <baton/board.hpp>.
function(baton_module)
  cmake_parse_arguments(PARSE_ARGV 0 module "NO_VERIFY;NO_HEADERS" "NAME;INSTALL_TO" "DEPENDS;VERIFY_WITH;SOURCES;VARIANTS")
  baton_refuse_unknown("${module_UNPARSED_ARGUMENTS}" "${module_KEYWORDS_MISSING_VALUES}")
  set(target baton_${module_NAME})
  baton_module_value(headers_in ${module_NAME} headers include)
  baton_module_value(standard ${module_NAME} standard 14)
  baton_module_list(links ${module_NAME} links)
  baton_module_list(libraries ${module_NAME} libraries)
  list(TRANSFORM links PREPEND baton_)
  list(TRANSFORM module_DEPENDS PREPEND baton_)
  list(APPEND links ${module_DEPENDS} ${libraries})
  set(root ${CMAKE_CURRENT_SOURCE_DIR}/${headers_in})
  if(NOT module_INSTALL_TO)
    set(module_INSTALL_TO ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  set(headers)
  if(NOT module_NO_HEADERS)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${root}/*.hpp ${root}/*.h)
  endif()

  add_library(${target} INTERFACE)
  add_library(baton::${module_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${module_NAME})
  if(NOT module_NO_HEADERS)
    set_target_properties(${target} PROPERTIES BATON_INSTALL_TO ${module_INSTALL_TO})  # for pkg-config
    target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
  endif()
  target_compile_features(${target} INTERFACE cxx_std_${standard})
  target_link_libraries(${target} INTERFACE ${links})
  set_property(GLOBAL APPEND PROPERTY BATON_MODULES ${module_NAME})
  if(module_NO_HEADERS)
    install(TARGETS ${target} EXPORT baton)
  else()
    install(TARGETS ${target} EXPORT baton FILE_SET HEADERS DESTINATION ${module_INSTALL_TO})
  endif()
  if(NOT headers AND NOT module_NO_HEADERS)
    install(DIRECTORY DESTINATION ${module_INSTALL_TO})  # the package names the folder, and CMake requires it
  endif()

  if(PROJECT_IS_TOP_LEVEL AND (BATON_PROGRAMS OR NOT DEFINED BATON_PROGRAMS))
    # The targets that compile the headers alone take their private options from the folder. Users
    # get none of these, nor does a build for a package, whose compiler may be of any version.
    add_compile_options(${BATON_WARNINGS})
    if(NOT CMAKE_CROSSCOMPILING)
      # Nothing runs their objects.
      add_compile_options($<$<BOOL:$<FILTER:$<TARGET_PROPERTY:NAME>,INCLUDE,_verify_interface_header_sets$>>:-O0$<SEMICOLON>-g0>)
    endif()
  endif()
  if(module_SOURCES)
    if(NOT module_VARIANTS)
      set(module_VARIANTS host host_checked sim)
    endif()
    list(TRANSFORM module_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
    set_property(GLOBAL PROPERTY BATON_SOURCES_${module_NAME} ${sources})
    foreach(variant IN LISTS module_VARIANTS)
      _baton_compile(${target} ${variant} "${module_SOURCES}")
    endforeach()
    add_library(${target}_own INTERFACE)  # for a program that holds the sources itself
    target_link_libraries(${target} INTERFACE $<BUILD_INTERFACE:$<LINK_ONLY:${target}_${BATON_PROGRAMS_VARIANT}>>)
  endif()
  if(headers AND NOT module_NO_VERIFY)
    _baton_verify_headers(${target} ${root} "${headers}" "${module_VERIFY_WITH}" ${standard} "${links}")
  endif()
endfunction()

# Compiles the sources of a module for a variant: the library baton_<module>_<variant>.
function(_baton_compile target variant sources)
  baton_refuse_unknown("${ARGN}" "")
  set(library ${target}_${variant})
  add_library(${library} STATIC EXCLUDE_FROM_ALL ${sources})
  get_target_property(standard ${target} INTERFACE_COMPILE_FEATURES)
  target_compile_features(${library} PRIVATE ${standard})
  # The library gets the properties of users of the module, except the module's own libraries.
  get_target_property(linked ${target} INTERFACE_LINK_LIBRARIES)
  list(FILTER linked EXCLUDE REGEX "LINK_ONLY")
  target_compile_definitions(${library} PRIVATE $<TARGET_PROPERTY:${target},INTERFACE_COMPILE_DEFINITIONS>)
  target_include_directories(${library} PRIVATE include)
  target_link_libraries(${library} PRIVATE ${linked} baton_port_${variant}_core)
  set_property(GLOBAL APPEND PROPERTY BATON_LIBRARIES ${library})
endfunction()

# baton_compile_in(<target> <module>)
#
# Compiles the module's sources into the program, with the program's options in place of the
# library's: a sanitizer's, for instance. The sources become one unit, which is compiled in the
# shortest time.
function(baton_compile_in target module)
  baton_refuse_unknown("${ARGN}" "")
  get_property(sources GLOBAL PROPERTY BATON_SOURCES_${module})
  list(TRANSFORM sources REPLACE "(.+)" "#include \"\\1\"\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" content)
  string(PREPEND content "// NOLINTBEGIN(bugprone-suspicious-include)\n")
  string(APPEND content "// NOLINTEND(bugprone-suspicious-include)\n")
  set(unit ${PROJECT_BINARY_DIR}/units/all_of_${module}.cpp)  # mutants tell sources apart by name
  file(CONFIGURE OUTPUT ${unit} CONTENT "${content}" @ONLY)
  target_sources(${target} PRIVATE ${unit})
  set_target_properties(${target} PROPERTIES BATON_VARIANT own)
endfunction()

# Lets CMake compile each header alone (target all_verify_interface_header_sets, part of every build
# preset). The include path consists of the module's own root and of its links, so a header of a
# module that it does not link is not found.
function(_baton_verify_headers target root headers with standard links)
  baton_refuse_unknown("${ARGN}" "")
  if(CMAKE_CXX_FLAGS MATCHES "sanitize|coverage")
    return()  # the builds without find the same
  endif()
  if(NOT with)
    set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
    return()
  endif()
  foreach(module IN LISTS with)
    set(verified ${target}_on_${module})
    add_library(${verified} INTERFACE)
    target_sources(${verified} INTERFACE FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
    target_link_libraries(${verified} INTERFACE baton_${module} ${links})
    target_compile_features(${verified} INTERFACE cxx_std_${standard})
    set_target_properties(${verified} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ON)
  endforeach()
endfunction()
