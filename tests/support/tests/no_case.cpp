// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>

// No case at all: silence must be a failure.
