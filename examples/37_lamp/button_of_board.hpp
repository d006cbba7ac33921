// SPDX-License-Identifier: MIT
#pragma once

#include "lamp.hpp"

// A board without <baton/board_pin.hpp> has no button.
#if __has_include(<baton/board_pin.hpp>)
#include <baton/board_pin.hpp>

template <typename Lamp>
using button_of_board = lamp_button<baton::board::button_pin, Lamp>;

#else

template <typename Lamp>
struct button_of_board {
  explicit button_of_board(Lamp&) {}
  void start() {}
};

#endif
