// SPDX-License-Identifier: MIT
#pragma once

#include <baton/hosted/board.hpp>

namespace baton {
namespace board {

constexpr const char* name() {
  return "aarch64-linux";
}

}  // namespace board
}  // namespace baton
