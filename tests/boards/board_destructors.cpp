// SPDX-License-Identifier: MIT
#include <baton/board.hpp>

namespace {

__attribute__((noinline)) void only_the_destructor_calls(char c) {
  baton::board::console::put(c);
  baton::board::console::put('.');
}

struct guarded {
  explicit guarded(char c) : name(c) { baton::board::console::put(c); }
  ~guarded() { only_the_destructor_calls(name); }
  char name;
};

guarded first('1'), second('2');

guarded& on_demand() {
  static guarded third('3');
  return third;
}

}  // namespace

int main() {
  baton::board::start();
  baton::board::console::put(first.name);
  baton::board::console::put(second.name);
  baton::board::console::put(on_demand().name);
  baton::board::finish(0);
}
