// SPDX-License-Identifier: MIT
#pragma once

#include "every_call.hpp"

namespace hostile {

extern "C" char __stack_top[];

inline word end_of_kernel() {
  return reinterpret_cast<word>(&the_kernel) + sizeof the_kernel;
}
inline word stack_of_main() {
  return reinterpret_cast<word>(__stack_top) - 64;
}
inline word code() {
  return reinterpret_cast<word>(&be_hostile) & ~word{3};
}

}  // namespace hostile
