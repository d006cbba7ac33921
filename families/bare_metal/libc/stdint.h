// SPDX-License-Identifier: MIT
#pragma once

// The compiler's own <stdint.h> includes the next one on the path, a C library's (-idirafter).
// There is no C library, so it finds this file.
#include <stdint-gcc.h>
