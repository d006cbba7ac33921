// SPDX-License-Identifier: MIT
#include <boards/stm32vl/clocks.c>
