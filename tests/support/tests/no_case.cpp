// SPDX-License-Identifier: MIT
#include <baton/test/check.hpp>

// There is no test case at all: silence must be a failure.
