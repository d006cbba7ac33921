// SPDX-License-Identifier: MIT
#include <baton/board.hpp>

namespace {

void print(const char* text) {
  while (*text) baton::board::console::put(*text++);
}

}  // namespace

int main() {
  baton::board::start();
  print("this is ");
  print(baton::board::name());
  print("\n");
  baton::board::led::set(true);
  baton::board::led::toggle();
  baton::board::finish(42);
}
