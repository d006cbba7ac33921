// SPDX-License-Identifier: MIT
#include <families/cortex_m/src/vectors.c>
