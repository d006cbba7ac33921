// SPDX-License-Identifier: MIT
#pragma once

#include <baton/board.hpp>
#include <baton/hosted/serial_in.hpp>
