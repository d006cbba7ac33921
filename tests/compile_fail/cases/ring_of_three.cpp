// SPDX-License-Identifier: MIT
// error: Slots must be a power of two up to 128
// lines: 11
#include <baton/core.hpp>

#if FAILS
baton::ring<int, 3> numbers;
#else
baton::ring<int, 4> numbers;
#endif
