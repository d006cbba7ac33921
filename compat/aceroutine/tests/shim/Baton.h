// SPDX-License-Identifier: MIT
#pragma once

// As ports/arduino/library/Baton.h, for a program that is no sketch: the board's port is on its include path.
#include <baton/core.hpp>
