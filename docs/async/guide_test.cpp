// SPDX-License-Identifier: MIT
//
// The programs that docs/async.md quotes, in its order.
#include <baton/async.hpp>
#include <baton/async/async_generator.hpp>
#include <baton/async/blocking.hpp>
#include <baton/async/generator.hpp>
#include <baton/async/loop.hpp>
#include <baton/async/when.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace baton;
using async::task;

namespace {

std::vector<std::string> log_lines;

void note(const std::string& line) {
  log_lines.push_back(std::to_string(port::now() / 1_ms) + " ms: " + line);
}

void check_log(const std::vector<std::string>& expected) {
  CHECK_EQ(log_lines.size(), expected.size());
  for (size_t i = 0; i < expected.size() && i < log_lines.size(); ++i) CHECK_EQ(log_lines[i], expected[i]);
  log_lines.clear();
  CHECK_EQ(async::frames().frames, 0u);
}

// ---- A task ----

task<int> measure(int address) {
  co_await async::sleep_for(3_ms);  // others run meanwhile
  if (address > 0x77) throw std::out_of_range("no such device");
  co_return address * 2;
}

task<> report() {
  note("a reading: " + std::to_string(co_await measure(0x10)));
  try {
    note("another: " + std::to_string(co_await measure(0x80)));
  } catch (const std::out_of_range& e) {
    note(e.what());
  }
}

}  // namespace

TEST_CASE("a task gives its result, or what it threw, to who awaits it") {
  async::loop program;
  program.spawn(report());
  program.run();
  check_log({"3 ms: a reading: 32", "6 ms: no such device"});
}

namespace {

// ---- Waits and their results ----

task<> printer(channel<std::string, 4>& lines) {
  std::string line;
  for (;;) {
    const status how = co_await async::within(50_ms, lines.receive(line));
    if (how == status::timed_out) {
      note("nothing to print");
    } else if (how == status::ok) {
      note(line);
    } else {
      co_return;  // closed, or cancelled
    }
  }
}

task<> author(channel<std::string, 4>& lines) {
  const status first = co_await lines.send("first");
  if (first != status::ok) co_return;
  co_await async::sleep_for(60_ms);
  static_cast<void>(co_await lines.send("second"));  // it closes in either case
  lines.close();
}

// ---- Waits that return a value or a status ----

task<int> sum(channel<int>& numbers) {
  int total = 0;
  for (;;) {
    async::result<int> n = co_await async::within(10_ms, async::receive(numbers));
    if (!n) co_return n.status() == status::closed ? total : -total;
    total += *n;
  }
}

}  // namespace

TEST_CASE("a received value, or why there is none") {
  channel<int> numbers;
  async::loop program;
  program.spawn([](channel<int>& from) -> task<> {
    const int total = co_await sum(from);
    note("the sum is " + std::to_string(total));
  }(numbers));
  program.spawn([](channel<int>& to) -> task<> {
    for (int n : {1, 2, 3}) {
      if (co_await to.send(n) != status::ok) co_return;
    }
    to.close();
  }(numbers));
  program.run();
  check_log({"0 ms: the sum is 6"});
}

TEST_CASE("a wait ends in one way, and says in which") {
  channel<std::string, 4> lines;
  async::loop program;
  program.spawn(printer(lines));
  program.spawn(author(lines));
  program.run();
  check_log({"0 ms: first", "50 ms: nothing to print", "60 ms: second"});
}

namespace {

// ---- Calls ----

using thermometer = endpoint<int, float>;  // request: number of the room; reply: its temperature

task<> serve(thermometer& at) {
  thermometer::served_type request;
  while (co_await at.receive(request) == status::ok) {
    co_await async::sleep_for(milliseconds(request.request()));  // a far room answers late
    at.reply(request, 20.5f);
  }
}

task<> ask(thermometer& at, int room) {
  thermometer::exchange_type x;
  x.request = room;
  const status how = co_await async::within(10_ms, at.call(x));
  note(how == status::ok ? "room " + std::to_string(room) + " is warm" : "room " + std::to_string(room) + " is far");
}

}  // namespace

TEST_CASE("a call waits for its reply, as long as it wants to") {
  thermometer at;
  async::loop program;
  program.spawn(serve(at));
  program.spawn([](thermometer& t) -> task<> {
    co_await ask(t, 4);
    co_await ask(t, 40);
    t.close();
  }(at));
  program.run();
  check_log({"4 ms: room 4 is warm", "14 ms: room 40 is far"});
}

namespace {

// ---- Scopes ----

task<> blink(const char* name, uint32_t ms) {
  for (;;) {
    const status how = co_await async::sleep_for(milliseconds(ms));
    if (how != status::ok) break;
    note(name);
  }
  note(std::string(name) + " is off");
}

task<> party() {
  async::scope lights;
  lights.spawn(blink("red", 20));
  lights.spawn(blink("green", 30));
  co_await async::sleep_for(50_ms);
  lights.stop();           // every wait in it ends with `cancelled`
  co_await lights.join();  // here they have ended
  note("dark");
}

}  // namespace

TEST_CASE("a scope stops what was spawned in it, and is joined") {
  async::loop program;
  program.spawn(party());
  program.run();
  check_log({"20 ms: red", "30 ms: green", "40 ms: red", "50 ms: red is off", "50 ms: green is off", "50 ms: dark"});
}

namespace {

task<> fails_after(uint32_t ms) {
  co_await async::sleep_for(milliseconds(ms));
  throw std::runtime_error("a fuse has blown");
}

task<> short_party() {
  async::scope lights;
  lights.spawn(blink("red", 20));
  lights.spawn(fails_after(30));
  try {
    co_await lights.join();
  } catch (const std::runtime_error& e) {
    note(e.what());
  }
}

}  // namespace

TEST_CASE("who throws stops its siblings, and the join throws it when they have ended") {
  async::loop program;
  program.spawn(short_party());
  program.run();
  check_log({"20 ms: red", "30 ms: red is off", "30 ms: a fuse has blown"});
}

namespace {

task<int> slow_square(int n) {
  co_await async::sleep_for(milliseconds(static_cast<uint32_t>(n)));
  const int square = n * n;
  co_return square;
}

task<> in_time() {
  async::result<int> nine = co_await async::within(20_ms, slow_square(3));
  async::result<int> late = co_await async::within(20_ms, slow_square(30));
  note(std::to_string(nine.value_or(0)) + (late ? "" : ", and one too late"));
}

}  // namespace

TEST_CASE("a deadline for a whole task") {
  async::loop program;
  program.spawn(in_time());
  program.run();
  check_log({"23 ms: 9, and one too late"});
}

namespace {

// ---- Several at once ----

task<int> fetch(int what, uint32_t ms) {
  co_await async::sleep_for(milliseconds(ms));
  co_return what;
}

task<> fetch_some() {
  auto [a, b] = co_await async::when_all(fetch(1, 30), fetch(2, 20));
  note("both: " + std::to_string(a + b));
  auto first = co_await async::when_any(fetch(3, 500), fetch(4, 5));
  note("the first was number " + std::to_string(first.index()) + ": " + std::to_string(std::get<1>(first)));
}

task<> fetch_ahead() {
  async::scope work;
  auto next = async::spawn(work, fetch(5, 20));
  co_await async::sleep_for(50_ms);  // the fetch goes on meanwhile
  const async::result<int> got = co_await next.join();
  note("ahead: " + std::to_string(got.value_or(0)));
  co_await work.join();
}

task<> fetch_many() {
  async::task_set<int> fetches;
  for (int i = 6; i != 9; ++i) {
    if (fetches.spawn(fetch(i, 100 - 10 * static_cast<uint32_t>(i))) != status::ok) break;  // no memory
  }
  for (;;) {
    const async::result<int> got = co_await fetches.next();
    if (!got) break;  // all results were taken
    note("got " + std::to_string(*got));
  }
}

task<> listen(channel<std::string>& keys, baton::signal& hang_up) {
  std::string key;
  for (;;) {
    const async::selection first = co_await async::select(keys.receive(key), hang_up.wait());
    if (!first || first.index == 1) break;
    note("key " + key);
  }
  note("hung up");
}

// ---- Data that must stay consistent across a wait ----

struct account {
  async::mutex lock;
  int balance = 100;
};

task<> withdraw(account& from, int amount) {
  auto held = co_await async::hold(from.lock);  // until the end of the block
  if (!held || from.balance < amount) co_return;
  co_await async::sleep_for(1_ms);  // asks the bank
  from.balance -= amount;
}

task<> answer_in_time(channel<std::string>& keys) {
  auto key = async::as_case(async::receive(keys));
  auto slow = async::as_case(slow_square(30));
  const async::selection first = co_await async::select(key, slow, async::sleep_for(10_ms));
  note(first.index == 2 ? "too slow" : "in time");
  if (key.has_result()) note("key " + key.result());
}

async::generator<int> powers_of_two(int limit) {
  for (int n = 1; n <= limit; n *= 2) co_yield n;
}

async::async_generator<std::string> lines_of(channel<std::string>& keys) {
  std::string line, key;
  for (;;) {
    const status how = co_await keys.receive(key);
    if (how != status::ok) co_return;  // closed, or its reader was stopped
    if (key != ".") {
      line += key;
      continue;
    }
    co_yield line;
    line.clear();
  }
}

task<> print_lines(channel<std::string>& keys) {
  auto lines = lines_of(keys);
  while (std::string* line = co_await lines.next()) note("line " + *line);
  note("the end");
}

}  // namespace

TEST_CASE("several at once, all of them or the first") {
  async::loop program;
  program.spawn(fetch_some());
  program.run();
  check_log({"30 ms: both: 3", "35 ms: the first was number 1: 4"});
}

TEST_CASE("a delay and a task as cases") {
  channel<std::string> keys;
  async::loop program;
  program.spawn(answer_in_time(keys));
  program.run();
  check_log({"10 ms: too slow"});
}

TEST_CASE("a result that is fetched ahead") {
  async::loop program;
  program.spawn(fetch_ahead());
  program.run();
  check_log({"50 ms: ahead: 5"});
}

TEST_CASE("results in the order in which they come") {
  async::loop program;
  program.spawn(fetch_many());
  program.run();
  check_log({"20 ms: got 8", "30 ms: got 7", "40 ms: got 6"});
}

TEST_CASE("the first of several operations") {
  channel<std::string> keys;
  baton::signal hang_up;
  async::loop program;
  program.spawn(listen(keys, hang_up));
  program.spawn([](channel<std::string>& k, baton::signal& h) -> task<> {
    for (const char* key : {"1", "2"}) {
      if (co_await k.send(key) != status::ok) co_return;
    }
    h.set();
  }(keys, hang_up));
  program.run();
  check_log({"0 ms: key 1", "0 ms: key 2", "0 ms: hung up"});
}

TEST_CASE("a mutex keeps together what belongs together across a wait") {
  account a;
  async::loop program;
  for (int i = 0; i < 3; ++i) program.spawn(withdraw(a, 60));
  program.run();
  CHECK_EQ(a.balance, 40);
  CHECK(!a.lock.is_locked());
}

TEST_CASE("a generator makes values as they are read") {
  std::string all;
  for (int n : powers_of_two(20)) all += std::to_string(n) + " ";
  CHECK_EQ(all, "1 2 4 8 16 ");
}

TEST_CASE("a generator that waits makes values as they come") {
  channel<std::string> keys;
  async::loop program;
  program.spawn(print_lines(keys));
  program.spawn([](channel<std::string>& k) -> task<> {
    for (const char* key : {"a", "b", ".", "c", "."}) {
      const std::string text = key;
      if (co_await k.send(text) != status::ok) co_return;
      co_await async::sleep_for(1_ms);
    }
    k.close();
  }(keys));
  program.run();
  check_log({"2 ms: line ab", "4 ms: line c", "5 ms: the end"});
}

namespace {

// ---- Functions that block ----

std::string read_file(const std::string& path) {
  if (path.empty()) throw std::invalid_argument("no path");
  return "the text of " + path;  // a real one would read, and block its thread
}

async::result<unsigned> find_prime(async::blocking_token stop, unsigned from) {
  for (unsigned n = from; !stop.is_stopping(); ++n) {
    unsigned divisor = 2;
    while (divisor * divisor <= n && n % divisor != 0) ++divisor;
    if (divisor * divisor > n) return n;
  }
  return status::cancelled;  // asked to end, by a deadline, a stop, or the end of the pool
}

task<> reads(async::blocking_pool& disk) {
  const std::string path = "notes.txt";
  const async::result<std::string> text = co_await async::blocking(disk, read_file, path);
  note(text.value_or("nothing"));
  const async::result<unsigned> prime = co_await async::within(1_s, async::blocking(disk, find_prime, 1'000'000u));
  if (prime) note("prime: " + std::to_string(*prime));
}

}  // namespace

TEST_CASE("a function that blocks runs on a thread of a pool, and the coroutine goes on in its loop") {
  async::blocking_pool disk(2);  // before the loop: it outlives the coroutines that wait for it
  {
    async::loop program;
    program.spawn(reads(disk));
    program.run();
  }
  disk.join();
  check_log({"0 ms: the text of notes.txt", "0 ms: prime: 1000003"});
}
