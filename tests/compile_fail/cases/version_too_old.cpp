// SPDX-License-Identifier: MIT
// A program that needs a later version than this one is stopped by its own #error.
// error: this program needs a later Baton
#include <baton/core/version.hpp>

#if FAILS
#define NEEDED BATON_VERSION_OF(BATON_VERSION_MAJOR, BATON_VERSION_MINOR, BATON_VERSION_PATCH + 1)
#else
#define NEEDED BATON_VERSION_OF(BATON_VERSION_MAJOR, BATON_VERSION_MINOR, BATON_VERSION_PATCH)
#endif
#if BATON_VERSION < NEEDED
#error this program needs a later Baton
#endif

static_assert(BATON_VERSION_OF(1, 0, 0) > BATON_VERSION_OF(0, 999, 999), "");
static_assert(BATON_VERSION_OF(0, 2, 0) > BATON_VERSION_OF(0, 1, 999), "");
