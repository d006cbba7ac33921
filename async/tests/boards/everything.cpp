// SPDX-License-Identifier: MIT
//
// Every operation that a coroutine can wait for, on the board's own port. nm must find no heap in
// this program.
#include <baton/async.hpp>
#include <baton/board.hpp>

using namespace baton;
using async::task;

namespace {

constexpr duration ms = 1_ms;

async::frame_memory<340 * sizeof(void*)> memory;
channel<uint16_t> pipe;
channel<uint16_t, 4> buffered;
endpoint<uint8_t, uint16_t> requests;
baton::signal bell;
semaphore gate(1);
async::mutex lock;
async::manual_event opened;
uint16_t sum;

task<> sends(uint16_t count) {
  for (uint16_t i = 1; i <= count; ++i) static_cast<void>(co_await pipe.send(i));
  pipe.close();
}

task<> passes_on() {
  uint16_t value = 0;
  while (co_await pipe.receive(value) == status::ok) static_cast<void>(co_await buffered.send(value));
  buffered.close();
}

task<> adds_up() {
  uint16_t value = 0;
  while (co_await async::within(1000 * ms, buffered.receive(value)) == status::ok)
    sum = static_cast<uint16_t>(sum + value);
  opened.set();
}

task<> serves() {
  served<uint8_t, uint16_t> request;
  while (co_await requests.receive(request) == status::ok) {
    requests.reply(request, static_cast<uint16_t>(request.request() * 2));
  }
}

task<uint16_t> asks(uint8_t what) {
  exchange<uint8_t, uint16_t> x;
  x.request = what;
  static_cast<void>(co_await requests.call(x));
  co_return x.reply;
}

task<> waits_in_vain() {
  const status ended = co_await async::within(ms, bell.wait());
  if (ended == status::timed_out) ++sum;
}

task<> works() {
  static_cast<void>(co_await opened.wait());
  static_cast<void>(co_await gate.acquire());
  co_await async::sleep_for(2 * ms);
  {
    auto held = co_await async::hold(lock);
    sum = static_cast<uint16_t>(sum + co_await asks(20));
  }
  gate.release();
  async::scope children;
  children.spawn(waits_in_vain());
  children.spawn(waits_in_vain());
  co_await children.join();
  co_await async::yield();
  requests.close();
}

}  // namespace

int main() {
  board::start();
  async::use_for_frames(memory);
  async::scope all;
  all.spawn(sends(10));
  all.spawn(passes_on());
  all.spawn(adds_up());
  all.spawn(serves());
  all.spawn(works());
  while (all.running() != 0) {
    scheduler::run_until_idle();
    if (all.running() != 0) port::idle();
  }
  const bool is_good = sum == 55 + 40 + 2 && async::frames().live == 0;
  for (const char* p = is_good ? "verdict: good\n" : "verdict: bad\n"; *p; ++p) board::console::put(*p);
  board::finish(is_good ? 0 : 1);
}
