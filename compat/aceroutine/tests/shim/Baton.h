// SPDX-License-Identifier: MIT
#pragma once

// The counterpart of ports/arduino/library/Baton.h for a program that is no sketch: the include
// path has the board's port.
#include <baton/core.hpp>
