# SPDX-License-Identifier: MIT
#
# Who may link whom: the arrows of the design. A module is matched by the first pattern that fits its whole name, and may
# link the modules that its second column matches, directly. A module that no pattern fits is an error, so a new module states
# its place here first.
#
# A row: <modules>|<what they may link>; both are CMake regular expressions in which a space separates alternatives.
set(BATON_MODULE_RULES
  "core|"
  "port_device_core|core"
  "port_[a-z0-9_]+_core|core port_device_core"
  "kernel|core"
  "port_[a-z0-9_]+|kernel core port_[a-z0-9_]+"
  "board_[a-z0-9_-]+_io|core board_[a-z0-9_-]+_io"
  "board_[a-z0-9_-]+|core board_[a-z0-9_-]+_io port_[a-z0-9_]+"
  "async|core"
  "asio|async core"
  "service|async core"
  "components|service asio async core"
  "remote|service async core"
  "compat|core"
)

# Sets `result` to whether `module` may link `other`.
function(baton_may_link result module other)
  set(${result} FALSE PARENT_SCOPE)
  foreach(rule IN LISTS BATON_MODULE_RULES)
    string(REPLACE "|" ";" columns "${rule};")
    list(GET columns 0 who)
    list(GET columns 1 whom)
    if(NOT module MATCHES "^(${who})$")
      continue()
    endif()
    string(REPLACE " " "|" whom "${whom}")
    if(whom AND other MATCHES "^(${whom})$")
      set(${result} TRUE PARENT_SCOPE)
    endif()
    return()
  endforeach()
  message(FATAL_ERROR "module '${module}' has no row in cmake/modules.cmake: add one that says what it may link")
endfunction()

# Compares what every module really links, however it came to link it, with the table. Runs when all lists were read.
function(baton_check_modules)
  get_property(modules GLOBAL PROPERTY BATON_MODULES)
  foreach(module IN LISTS modules)
    get_target_property(linked baton_${module} INTERFACE_LINK_LIBRARIES)
    foreach(item IN LISTS linked)
      if(NOT item MATCHES "^baton(_|::)([a-z0-9_-]+)$")
        continue()
      endif()
      set(other ${CMAKE_MATCH_2})
      baton_may_link(allowed ${module} ${other})
      if(NOT allowed)
        message(FATAL_ERROR "module '${module}' links module '${other}', which cmake/modules.cmake does not allow")
      endif()
    endforeach()
  endforeach()
endfunction()
