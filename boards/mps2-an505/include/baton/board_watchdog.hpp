// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/mps2/watchdog.hpp>
