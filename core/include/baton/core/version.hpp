// SPDX-License-Identifier: MIT
#pragma once

/// The version of Baton, for `#if`. A program that needs a later one says so when it is compiled:
///
///     #if BATON_VERSION < BATON_VERSION_OF(0, 1, 0)
///     #error this program needs Baton 0.1.0 or later
///     #endif
///
/// Shape    integer constants, and a text; no object.
/// Units    each part of a version is below 1000.
/// Cost     nothing in a program that does not use the text.
/// Source   CMake's project(VERSION); a check of the release compares both.
#define BATON_VERSION_MAJOR 0
#define BATON_VERSION_MINOR 1
#define BATON_VERSION_PATCH 0

/// A version as one number. Later versions have greater numbers.
#define BATON_VERSION_OF(major, minor, patch) ((major) * 1000000L + (minor) * 1000L + (patch))
/// The version of these headers as one number.
#define BATON_VERSION BATON_VERSION_OF(BATON_VERSION_MAJOR, BATON_VERSION_MINOR, BATON_VERSION_PATCH)
/// The version of these headers as a text.
#define BATON_VERSION_TEXT "0.1.0"
