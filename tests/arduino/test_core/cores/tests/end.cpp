// SPDX-License-Identifier: MIT
#include <families/bare_metal/src/halt.cpp>
#include <families/bare_metal/src/never_exits.cpp>
