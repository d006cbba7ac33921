// SPDX-License-Identifier: MIT
#pragma once

#include <baton/hosted/board.hpp>

namespace baton {
namespace board {

constexpr const char* name() {
  return "host";
}

}  // namespace board
}  // namespace baton
