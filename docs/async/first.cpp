// SPDX-License-Identifier: MIT
//
// The first program of docs/async.md.
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <stdio.h>

using namespace baton::literals;
namespace async = baton::async;
using baton::status;

async::task<> produce(baton::channel<int, 2>& to) {
  for (int n = 1; n <= 3; ++n) {
    co_await async::sleep_for(10_ms);
    const status sent = co_await to.send(n);
    if (sent != status::ok) co_return;
  }
  to.close();
}

async::task<> consume(baton::channel<int, 2>& from) {
  for (;;) {
    const async::result<int> n = co_await async::receive(from);
    if (!n) co_return;  // closed
    printf("%d\n", *n);
  }
}

int main() {
  baton::channel<int, 2> numbers;
  async::loop program;  // behind what its coroutines use, so it is destroyed first
  program.spawn(produce(numbers));
  program.spawn(consume(numbers));
  program.run();  // until both have ended
}
