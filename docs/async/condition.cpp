// SPDX-License-Identifier: MIT
//
// A defect of g++ 12 that docs/async-downsides.md describes: an await in the condition of an `if`,
// a loop or a `switch`, in a body that declares no variable outside of inner blocks. The body reads
// its parameters from a wrong address. On such a compiler this program must fail, and the documents
// must say so; on any other compiler it must succeed.
#include <baton/async.hpp>
#include <baton/core.hpp>
#include <stdint.h>

namespace {

uintptr_t seen = 0;

baton::async::task<> condition(uintptr_t number) {
  seen = number;
  if (co_await baton::async::sleep_for(baton::ticks(1)) == baton::status::ok) seen += 1;
}

}  // namespace

int main() {
  baton::async::scope all;
  all.spawn(condition(41));
  baton::scheduler::run();
  return seen == 42 ? 0 : 1;
}
