# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# baton_refuse_unknown(<arguments that the calling function does not know> <keywords of it without a value>)
#
# Stops the configuration if there are any: a number without its keyword must not be lost.
macro(baton_refuse_unknown unknown incomplete)
  if(NOT "${unknown}" STREQUAL "")
    message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION}() does not know the argument: ${unknown}")
  endif()
  if(NOT "${incomplete}" STREQUAL "")
    message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION}() got no value for: ${incomplete}")
  endif()
endmacro()
