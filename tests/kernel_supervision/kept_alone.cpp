// SPDX-License-Identifier: MIT
//
// A program without an initialized variable: what a reset leaves alone lies over no other variable.
#include <baton/board.hpp>
#include <stdint.h>

namespace {

__attribute__((section(".kept"))) uint32_t kept[4];  // as BATON_KEPT_MEMORY says it
uint32_t others[16];

}  // namespace

int main() {
  baton::board::start();
  // The addresses are read as numbers, because a compiler knows that two objects do not overlap.
  uintptr_t kept_at = reinterpret_cast<uintptr_t>(&kept), others_at = reinterpret_cast<uintptr_t>(&others);
  __asm__ volatile("" : "+r"(kept_at), "+r"(others_at));
  const bool overlap = others_at < kept_at + sizeof kept && kept_at < others_at + sizeof others;
  const char* text = overlap ? "verdict: bad\n" : "verdict: good\n";
  while (*text) baton::board::console::put(*text++);
  baton::board::finish(overlap);
}
