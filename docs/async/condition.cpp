// SPDX-License-Identifier: MIT
//
// docs/async-downsides.md: what g++ 12 makes of an await in the condition of an `if` or `while`, in a body that declares no variable
// outside of inner blocks. The parameters are then read from where they are not. On such a compiler this program must fail, and
// the documents must say so; on any other it must succeed.
#include <baton/async.hpp>
#include <baton/core.hpp>
#include <stdint.h>

namespace {

uintptr_t seen = 0;

baton::async::task<> condition(uintptr_t number) {
  seen = number;
  if (co_await baton::async::sleep_for(1) == baton::status::ok) seen += 1;
}

}  // namespace

int main() {
  baton::async::scope all;
  all.spawn(condition(41));
  baton::scheduler::run();
  return seen == 42 ? 0 : 1;
}
