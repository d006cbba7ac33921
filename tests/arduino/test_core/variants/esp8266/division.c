// SPDX-License-Identifier: MIT
#include <families/lx106/src/division.c>
