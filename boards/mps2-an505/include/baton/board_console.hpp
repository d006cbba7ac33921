// SPDX-License-Identifier: MIT
#pragma once

#include <baton/mps2/console.hpp>

namespace baton {
namespace board {

constexpr const char* name() {
  return "mps2-an505";
}

}  // namespace board
}  // namespace baton
