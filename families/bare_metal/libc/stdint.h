// SPDX-License-Identifier: MIT
#pragma once

// The compiler's own <stdint.h> looks for a C library's behind it (-idirafter). There is none, so it finds this.
#include <stdint-gcc.h>
