// SPDX-License-Identifier: MIT
#include <stdint.h>

// This file includes none of core's headers: they define a weak baton_require_failed, which the one
// here replaces.
namespace baton {
namespace test {
[[noreturn]] void requirement_broken(uint16_t id);
[[noreturn]] void run_cases();
}  // namespace test
}  // namespace baton

extern "C" __attribute__((noreturn)) void baton_require_failed(uint16_t id) {
  baton::test::requirement_broken(id);
}

int main() {
  baton::test::run_cases();
}
