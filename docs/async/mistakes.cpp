// SPDX-License-Identifier: MIT
//
// The mistakes that docs/lifetimes.md warns of. BATON_MISTAKE selects one, and AddressSanitizer has
// to find it.
#include <baton/async/loop.hpp>
#include <stdio.h>
#include <string>
#include <vector>

using namespace baton;
using async::task;

namespace {

[[maybe_unused]] void use(const std::string& text) {
  printf("%s\n", text.c_str());
}

#if BATON_MISTAKE == 1
/// Keeps a reference to a temporary of the code that spawned it.
task<> print_later(const std::string& text) {
  co_await async::sleep_for(1_ms);
  use(text);
}
void make(async::loop& program) {
  program.spawn(print_later(std::string(40, 'x')));
}

#elif BATON_MISTAKE == 2
/// Spawns a lambda whose captures are in the lambda object, which is a temporary.
void make(async::loop& program) {
  std::string text(40, 'x');
  program.spawn([text]() -> task<> {
    co_await async::sleep_for(1_ms);
    use(text);
  }());
}

#elif BATON_MISTAKE == 3
/// Keeps a reference into a container across a wait, in which another coroutine changes the
/// container.
task<> print_first(std::vector<std::string>& names) {
  const std::string& first = names.front();
  co_await async::sleep_for(2_ms);
  use(first);
}
task<> add(std::vector<std::string>& names) {
  co_await async::sleep_for(1_ms);
  for (int i = 0; i < 100; ++i) names.push_back("another");
}
std::vector<std::string> names{std::string(40, 'x')};
void make(async::loop& program) {
  program.spawn(print_first(names));
  program.spawn(add(names));
}

#elif BATON_MISTAKE == 4
/// Returns a pointer into the frame of a task that has ended.
task<const int*> find() {
  int found = 42;
  const int* const where = &found;
  co_await async::yield();
  co_return where;
}
task<> print_found() {
  const int* const found = co_await find();
  printf("%d\n", *found);
}
void make(async::loop& program) {
  program.spawn(print_found());
}

#elif BATON_MISTAKE == 5
/// An address of a local that is registered outside; the frame is destroyed first.
int* registered = nullptr;
task<> wait_for_answer(int& answer) {
  registered = &answer;
  co_await async::sleep_for(1_s);
  registered = nullptr;  // a coroutine that is destroyed does not reach this line
}
task<> ask() {
  int answer = 0;
  co_await wait_for_answer(answer);
}
void make(async::loop& program) {
  program.spawn([](async::loop& l) -> task<> {
    {
      async::scope inner;
      inner.spawn(ask());
      co_await async::sleep_for(1_ms);
      inner.destroy_all();
    }
    *registered = 42;
    l.quit();
  }(program));
}

#elif BATON_MISTAKE == 6
/// An object whose coroutines outlive it.
class counter {
 public:
  void start(async::loop& l) { l.spawn(count()); }

 private:
  task<> count() {
    for (int i = 0; i < 3; ++i) {
      ++n_;
      co_await async::sleep_for(1_ms);
    }
  }
  int n_ = 0;
};
void make(async::loop& program) {
  auto* c = new counter;
  c->start(program);
  delete c;
}
#endif

}  // namespace

int main() {
  async::loop program;
  make(program);
  program.run();
}
