// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/join_handle.hpp>
#include <baton/async/loop.hpp>
#include <stdio.h>

using namespace baton::literals;
namespace async = baton::async;
using baton::status;

async::task<int> fetch(int page, baton::duration takes) {
  static_cast<void>(co_await async::sleep_for(takes));
  co_return page * 100;
}

async::task<> produce(baton::channel<int, 4>& to) {
  for (int page = 1; page <= 3; ++page) {
    const async::result<int> got = co_await async::within(50_ms, fetch(page, 20_ms * page));
    if (!got) {
      printf("page %d is late\n", page);
    } else {
      const status sent = co_await to.send(*got);
      if (sent != status::ok) co_return;
    }
  }
  to.close();
}

async::task<int> sum(baton::channel<int, 4>& from) {
  int total = 0;
  for (;;) {
    const async::result<int> n = co_await async::receive(from);
    if (!n) co_return total;  // closed
    total += *n;
  }
}

async::task<> run() {
  baton::channel<int, 4> numbers;
  async::scope work;
  work.spawn(produce(numbers));
  auto total = async::spawn(work, sum(numbers));
  const async::result<int> all = co_await total.join();
  co_await work.join();
  printf("the sum is %d\n", all.value_or(-1));
}

int main() {
  async::loop program;
  program.spawn(run());
  program.run();
}
