// SPDX-License-Identifier: MIT
//
// The service-provider interface of async, used as another module would.
#include <baton/async.hpp>
#include <baton/async/loop.hpp>
#include <baton/async/spi/asan.hpp>
#include <baton/async/spi/expirable.hpp>
#include <baton/async/spi/external_wait.hpp>
#include <baton/async/spi/frames.hpp>
#include <baton/async/spi/give_way.hpp>
#include <baton/test/check.hpp>
#include <optional>
#include <string>

using namespace baton;
using async::task;

namespace {

/// A library of somebody else's: operations that end when it says so, and that can be asked to end.
struct library {
  struct operation {
    void (*ended)(void*);
    void* of;
    bool is_asked_to_end = false;
  };
  void end(status how) {
    operation* const o = current;
    current = nullptr;
    outcome = how;
    o->ended(o->of);
  }
  operation* current = nullptr;
  status outcome = status::ok;
};

/// The operation that a coroutine awaits.
class reading : public async::spi::promise_awaiter {
 public:
  explicit reading(library& l) noexcept : from_(&l) {}
  reading(const reading& other) noexcept : from_(other.from_) {}

  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) {
    wait& w = wait_.emplace(h.promise(), *from_);
    if (w.is_stopping()) {
      from_->outcome = status::cancelled;
      return w.skip(h);
    }
    from_->current = &w.begun;
    return w.suspend(h);
  }
  status await_resume() {
    wait_->resume();
    return wait_->ended_by != status::ok ? wait_->ended_by : from_->outcome;
  }

  bool is_waiting() const noexcept { return wait_ && wait_->still_waits(); }
  void expire() { wait_->ask(status::timed_out); }

 private:
  struct wait : async::spi::external_wait<wait> {
    template <typename Promise>
    wait(Promise& p, library& l) noexcept : external_wait(p), from(l) {}
    ~wait() {
      if (from.current == &begun) from.current = nullptr;
    }
    void on_stop() { ask(status::cancelled); }
    void ask(status why) {
      ended_by = why;
      begun.is_asked_to_end = true;
    }

    library& from;
    library::operation begun{[](void* w) { static_cast<wait*>(w)->end_wait(); }, this};
    status ended_by = status::ok;
  };

  library* from_;
  std::optional<wait> wait_;
};
static_assert(async::spi::expirable<reading>);
static_assert(!async::spi::expirable<library>);

}  // namespace

TEST_CASE("a coroutine waits for another library's operation, behind what is ready when it ends") {
  library l;
  std::string log;
  async::scope all;
  all.spawn([](library& l, std::string& log) -> task<> {
    log += "reads ";
    const status s = co_await reading(l);
    log += s == status::ok ? "got it " : "got nothing ";
  }(l, log));
  scheduler::run_until_idle();
  CHECK_EQ(log, "reads ");
  CHECK(l.current);
  all.spawn([](std::string& log) -> task<> {
    log += "other ";
    co_return;
  }(log));
  l.end(status::ok);
  CHECK_EQ(log, "reads ");
  scheduler::run_until_idle();
  CHECK_EQ(log, "reads other got it ");
  CHECK_EQ(all.running(), 0u);
}

TEST_CASE(
    "a stop asks the operation to end, and the wait goes on until it has; a wait that begins later ends at once") {
  library l;
  std::string log;
  async::scope all;
  all.spawn([](library& l, std::string& log) -> task<> {
    for (int i = 0; i != 2; ++i) log += co_await reading(l) == status::cancelled ? "cancelled " : "read ";
  }(l, log));
  scheduler::run_until_idle();
  all.stop();
  scheduler::run_until_idle();
  CHECK_EQ(log, "");
  CHECK(l.current->is_asked_to_end);
  l.end(status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(log, "cancelled cancelled ");
  CHECK_EQ(all.running(), 0u);
}

TEST_CASE("a deadline asks the operation to end, and one that has ended before it is not asked") {
  library l;
  std::string log;
  const tick begin = sim::clock::get().now;
  async::scope all;
  all.spawn([](library& l, std::string& log) -> task<> {
    for (int i = 0; i != 2; ++i) {
      log += co_await async::within(milliseconds(5), reading(l)) == status::timed_out ? "timed out " : "read ";
    }
  }(l, log));
  scheduler::run();
  CHECK_EQ(sim::clock::get().now, begin + milliseconds(5));
  CHECK_EQ(log, "");
  CHECK(l.current->is_asked_to_end);
  l.end(status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(log, "timed out ");
  l.end(status::ok);
  scheduler::run();
  CHECK_EQ(log, "timed out read ");
  CHECK_EQ(all.running(), 0u);
}

TEST_CASE("a coroutine that is destroyed while it waits is in no queue any more") {
  library l;
  {
    async::scope all;
    all.spawn([](library& l) -> task<> { static_cast<void>(co_await reading(l)); }(l));
    scheduler::run_until_idle();
    CHECK(l.current);
    all.destroy_all();
    CHECK_EQ(all.running(), 0u);
  }
  CHECK(!l.current);
  scheduler::run_until_idle();
}

TEST_CASE("a coroutine that is destroyed when its wait has ended leaves the ready queue") {
  library l;
  async::scope all;
  all.spawn([](library& l) -> task<> { static_cast<void>(co_await reading(l)); }(l));
  scheduler::run_until_idle();
  l.end(status::ok);
  all.destroy_all();
  CHECK(!domain::tail());
}

TEST_CASE("memory of the frames' pool is counted, used again, and aligned") {
  const size_t before = async::frames().frames;
  void* const first = async::spi::allocate_frame(40);
  CHECK(first);
  CHECK_EQ(reinterpret_cast<uintptr_t>(first) % __BIGGEST_ALIGNMENT__, 0u);
  CHECK_EQ(async::frames().frames, before + 1);
  async::spi::free_frame(first, 40);
  CHECK_EQ(async::frames().frames, before);
  void* const second = async::spi::allocate_frame(40);
  CHECK_EQ(second, first);
  async::spi::free_frame(second, 40);
}

TEST_CASE("memory that was lent is written again when it has come back, and another thread may go first") {
  alignas(8) static unsigned char memory[16];
  async::spi::poison(memory, sizeof memory);
  async::spi::unpoison(memory, sizeof memory);
  for (unsigned char& byte : memory) byte = 1;
  async::spi::give_way();
  CHECK_EQ(memory[15], 1);
}
