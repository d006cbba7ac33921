// SPDX-License-Identifier: MIT
// error: Capacity must be 0, for a rendezvous, or a power of two up to 128
// lines: 19
#include <baton/core.hpp>

#if FAILS
baton::channel<int, 3> numbers;
#else
baton::channel<int, 4> numbers;
#endif
