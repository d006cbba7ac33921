// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/board.hpp>

using namespace baton::literals;
namespace async = baton::async;
using baton::status;

baton::board::console console;
baton::channel<uint8_t, 2> keys;

async::task<> typist() {
  for (uint8_t key = 1; key <= 3; ++key) {
    const status slept = co_await async::sleep_for(100_ms * key);
    if (slept != status::ok) co_return;
    const status sent = co_await keys.send(key);
    if (sent != status::ok) co_return;
  }
  keys.close();
}

async::task<> menu() {
  uint8_t key = 0;
  for (;;) {
    const status got = co_await async::within(250_ms, keys.receive(key));
    if (got == status::ok) {
      baton::print_line(console, "key ", key);
    } else if (got == status::timed_out) {
      baton::print_line(console, "the display goes dark");
    } else {
      break;  // closed, or the program stops
    }
  }
  baton::scheduler::stop();
}

int main() {
  baton::board::start();
  async::scope program;
  program.spawn(typist());
  program.spawn(menu());
  baton::scheduler::run();
  baton::board::finish(0);
}
