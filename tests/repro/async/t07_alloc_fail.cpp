// SPDX-License-Identifier: MIT
// Want of memory inside when_all() and when_any() ends the program instead of the wait.
// Issue: Async.
#include <sys/wait.h>
#include <unistd.h>

#include <baton/async/when.hpp>

#include "reproduction.hpp"

namespace {

long countdown = -1;
bool is_counting = false;

void* get(std::size_t bytes) {
  if (is_counting && countdown >= 0 && countdown-- == 0) return nullptr;
  return std::malloc(bytes);
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* memory = get(bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return get(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace {

task<int> leaf(int i) {
  char large[3000];
  large[0] = static_cast<char>(i);
  static_cast<void>(co_await async::sleep_for(microseconds(i)));
  co_return large[0];
}

task<> work(int& sum) {
  for (int i = 0; i < 3; ++i) {
    auto t = leaf(i + 1);
    if (t.has_frame()) sum += co_await std::move(t);
  }
  auto both = async::when_all(leaf(3), leaf(4));
  if (both.has_frame()) {
    auto [a, b] = co_await std::move(both);
    sum += a + b;
  }
  const std::string text(100, 'x');
  channel<std::string, 2> c;
  static_cast<void>(co_await c.send(text));
  std::string received;
  static_cast<void>(co_await c.receive(received));
}

// The loop's work with the n-th allocation refused, in a process of its own.
int run_without(long n) {
  int sum = 0;
  async::loop l;
  countdown = n;
  is_counting = true;
  try {
    if (auto t = work(sum); t.has_frame()) l.spawn(std::move(t));
    l.run();
  } catch (const std::exception&) {
    sum = 0;  // an exception that is seen is a right end
  }
  is_counting = false;
  return 0;
}

}  // namespace

int main() {
  int ended_by_signal = 0;
  for (long n = 0; n < 16; ++n) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(5);
      std::_Exit(run_without(n));
    }
    int how = 0;
    waitpid(child, &how, 0);
    if (WIFSIGNALED(how)) {
      std::printf("allocation %ld refused: signal %d\n", n, WTERMSIG(how));
      ++ended_by_signal;
    }
  }
  expect(ended_by_signal == 0, "no refused allocation ends the program");
  return outcome_of_expectations();
}
