// SPDX-License-Identifier: MIT
#include <families/bare_metal/src/memory.c>
#include <families/bare_metal/src/start.c>
