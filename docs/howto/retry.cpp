// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <stdio.h>

using namespace baton::literals;
namespace async = baton::async;
using baton::status;

struct back_off {
  baton::duration first = 100_ms;
  baton::duration longest = 1_s;
  int tries = 6;
};

unsigned now_ms() {
  return static_cast<unsigned>(baton::port::now() / 1_ms);
}

// Calls `attempt` until it gives a value, and doubles the pause after each failure.
template <typename Attempt>
auto with_retries(back_off policy, Attempt attempt) -> decltype(attempt(1)) {
  baton::duration pause = policy.first;
  for (int n = 1;; ++n) {
    auto got = co_await attempt(n);
    if (got || n == policy.tries) co_return got;
    const status slept = co_await async::sleep_for(pause);
    if (slept != status::ok) co_return slept;  // the program stops: no further try
    pause = pause * 2 < policy.longest ? pause * 2 : policy.longest;
  }
}

// A server that answers the fourth call; to the second one it says nothing.
async::task<async::result<int>> call(int n) {
  printf("%4u ms: try %d\n", now_ms(), n);
  const status answered = co_await async::sleep_for(n == 2 ? 10_s : 20_ms);
  if (answered != status::ok) co_return answered;
  if (n < 4) co_return status::peer_gone;
  co_return 42;
}

async::task<async::result<int>> call_in_time(int n) {
  // A try has a limit of its own. A result of a result: the outer one is the limit's.
  const async::result<async::result<int>> got = co_await async::within(300_ms, call(n));
  if (!got) co_return got.status();
  co_return *got;
}

async::task<> client() {
  const async::result<int> answer = co_await with_retries(back_off{}, call_in_time);
  if (answer) printf("%4u ms: the answer is %d\n", now_ms(), *answer);
}

int main() {
  async::loop program;
  program.spawn(client());
  program.run();
}
