# SPDX-License-Identifier: MIT
include_guard(GLOBAL)

# baton_refuse_unknown(<arguments unknown to the calling function> <its keywords without a value>)
#
# Stops the configuration if there are any, so that a number without its keyword is not lost.
macro(baton_refuse_unknown unknown incomplete)
  if(NOT "${unknown}" STREQUAL "")
    message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION}() does not know the argument: ${unknown}")
  endif()
  if(NOT "${incomplete}" STREQUAL "")
    message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION}() got no value for: ${incomplete}")
  endif()
endmacro()
