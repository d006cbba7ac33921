#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Types the input of devices/tests/contract.hpp to a program: type_with_pauses.sh BURST PROGRAM...
burst=$1
shift
{
  sleep 0.5
  printf abc
  sleep 0.5
  printf %s "$burst"
  sleep 3
  printf z
  sleep 0.5
} | "$@"
