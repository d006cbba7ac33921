// SPDX-License-Identifier: MIT
#include "trial.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace want_of_memory {
namespace {

std::atomic<long> refused{0};
std::atomic<long> count{0};
std::atomic<stage> now{stage::none};
thread_local bool is_exempt = false;
bool shows = false;
result* shared = nullptr;  // of both processes

void show_place() {
  const exempt rest;
  void* places[64];
  ::backtrace_symbols_fd(places, ::backtrace(places, 64), STDERR_FILENO);
}

/// True if this allocation is the one.
bool is_refused() {
  if (is_exempt || now.load() == stage::none || ++count != refused.load()) return false;
  shared->refused_in = now.load();
  if (shows) show_place();
  return true;
}

void* allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
  if (is_refused()) return nullptr;
  const std::size_t whole = (bytes + alignment - 1) & ~(alignment - 1);
  return std::aligned_alloc(alignment, whole ? whole : alignment);
}
void* allocate_or_throw(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
  if (void* const memory = allocate(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

void say(const char* what) {
  if (shared->text[0] == 0) std::snprintf(shared->text, sizeof shared->text, "%s", what);
}

}  // namespace

exempt::exempt() noexcept {
  is_exempt = true;
}
exempt::~exempt() {
  is_exempt = false;
}

void trial::begin_work() noexcept {
  stage before = stage::set_up;
  now.compare_exchange_strong(before, stage::work);
}
void trial::end_work() noexcept {
  now = stage::end;
}
void trial::note(bool is_well) noexcept {
  ++attempts;
  if (!is_well) ++failed, has_failed_late = has_failed_late || was_refused;
  was_refused = shared->refused_in != stage::none;
}
void trial::expect(bool holds, const char* what) noexcept {
  if (!holds) say(what);
}

void play(trial& t, std::function<void()> part) {
  const exempt rest;
  t.other = std::jthread([&t, part = std::move(part)] {
    is_exempt = true;
    t.begin_work();
    part();
    t.end_work();
    t.app->quit();
  });
}

namespace {

/// The code with which the program ended; -1: it threw std::bad_alloc.
int run_program(const scenario& s, trial& t, std::atomic<int>& told) {
  try {
    baton::asio::poller io;
    options o;
    o.ends_at_signals = false;
    application app(o);
    t.app = &app;
    app.on_diagnostic([&](const std::string& text) {
      ++told;
      if (shows) std::fprintf(stderr, "told: %s\n", text.c_str());
    });
    s.fill(app, t);
    const int code = app.run(io);
    t.end_work();
    if (t.other.joinable()) t.other.join();
    return code;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

void judge(const trial& t, int code, int told) {
  const stage at = shared->refused_in;
  if (t.alive != 0) say("objects are left");
  if (code == -1) {
    if (at != stage::set_up) say("the program threw std::bad_alloc after its set-up");
  } else if (code != 0) {
    if (told == 0) say("the program ended with a code, and told nothing");
    if (at != stage::set_up && at != stage::end) say("the program ended with a code");
  } else if (t.has_failed_late || t.failed > 1 || t.attempts == 0) {
    say("an attempt failed that had memory");
  }
}

int run_here(const scenario& s) {
  ::alarm(20);
  if (!shows) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDERR_FILENO);
  }
  {
    trial t;
    std::atomic<int> told = 0;
    now = stage::set_up;
    const int code = run_program(s, t, told);
    t.end_work();
    now = stage::none;
    if (t.other.joinable()) t.other.join();
    judge(t, code, told);
  }
  shared->allocations = count;
  return shared->text[0] == 0 ? 0 : 1;
}

}  // namespace

result run(const scenario& s, long n, bool shows_place) {
  static void* const memory =
      ::mmap(nullptr, sizeof(result), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared = ::new (memory) result;
  refused = n;
  shows = shows_place;
  const pid_t child = ::fork();
  if (child == 0) std::exit(run_here(s));  // a leak is found at the exit, where the compiler looks for them
  int how = 0;
  ::waitpid(child, &how, 0);
  result r = *shared;
  const auto ended = [&](const char* what, int number) { std::snprintf(r.text, sizeof r.text, what, number); };
  if (WIFSIGNALED(how)) ended(WTERMSIG(how) == SIGALRM ? "it hangs" : "it ended by the signal %d", WTERMSIG(how));
  if (WIFEXITED(how) && WEXITSTATUS(how) != 0 && r.text[0] == 0) ended("it exited with %d", WEXITSTATUS(how));
  r.is_well = r.text[0] == 0;
  return r;
}

}  // namespace want_of_memory

using want_of_memory::allocate;
using want_of_memory::allocate_or_throw;

void* operator new(std::size_t bytes) {
  return allocate_or_throw(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
