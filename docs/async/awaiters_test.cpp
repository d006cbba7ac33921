// SPDX-License-Identifier: MIT
//
// The awaiter of docs/awaiters.md: a driver that calls back, awaited without a channel.
#include <baton/async.hpp>
#include <baton/test/check.hpp>
#include <coroutine>
#include <string>
#include <utility>

using namespace baton;
using async::task;

namespace {

/// A driver as somebody else has written it.
struct converter {
  using callback = void (*)(void* context, int value);

  void start(callback call, void* context) {
    call_ = call;
    context_ = context;
  }
  void forget() { call_ = nullptr; }
  void finish(int value) {
    if (callback call = std::exchange(call_, nullptr)) call(context_, value);
  }

 private:
  callback call_ = nullptr;
  void* context_ = nullptr;
};

/// Awaits one conversion: `const int value = co_await conversion(adc);`
class conversion {
 public:
  explicit conversion(converter& of) : of_(of) {}
  ~conversion() { of_.forget(); }  // the driver must not call into a frame that is gone

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) {
    coroutine_ = coroutine;
    of_.start(&finished, this);
  }
  int await_resume() const noexcept { return value_; }

 private:
  static void finished(void* self, int value) {
    auto* me = static_cast<conversion*>(self);
    me->value_ = value;
    me->coroutine_.resume();  // makes it ready: it runs in its turn
  }

  converter& of_;
  std::coroutine_handle<> coroutine_;
  int value_ = 0;
};

}  // namespace

TEST_CASE("the awaiter of the page: the coroutine goes on in its turn, and a frame that is gone is not called") {
  converter adc;
  async::scope all;
  std::string log;
  auto reads = [](converter& from, std::string& to) -> task<> {
    const int value = co_await conversion(from);
    to += std::to_string(value);
  };
  all.spawn(reads(adc, log));
  scheduler::run_until_idle();
  adc.finish(42);
  CHECK_EQ(log, "");
  scheduler::run_until_idle();
  CHECK_EQ(log, "42");
  all.spawn(reads(adc, log));
  scheduler::run_until_idle();
  all.destroy_all();
  adc.finish(43);
  CHECK_EQ(log, "42");
}
