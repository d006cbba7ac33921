// SPDX-License-Identifier: MIT
#include <baton/async.hpp>
#include <baton/async/when.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/test/check.hpp>
#include <baton/test/failing_memory.hpp>
#include <utility>
#include <vector>

// Waits that make frames of their own, in a pool that has room for one frame more each time, and
// with a heap that refuses the first allocation, then the second, and so on. Every wait ends, and
// what it was given has begun and ended, or has not begun.

using namespace baton;
using async::result;
using async::task;

namespace {

/// The number of waits that ended well, and of those that ended for want of memory.
struct tally {
  int well = 0;
  int without_memory = 0;
  int begun = 0;
  int ended = 0;
};

/// Counts the tasks that begin and end.
task<int> part(tally& of, int n) {
  struct counted {
    explicit counted(tally& t) : to(t) { ++to.begun; }
    counted(const counted&) = delete;
    ~counted() { ++to.ended; }
    tally& to;
  } const c(of);
  co_await async::yield();
  co_return n;
}

task<> with_a_deadline(tally& t) {
  const result<int> r = co_await async::within(milliseconds(1), part(t, 7));
  if (r.status() == status::full) {
    ++t.without_memory;
  } else {
    CHECK_EQ(r.value_or(0), 7);
    ++t.well;
  }
}

task<> by_a_handle(tally& t) {
  async::scope s;
  auto h = async::spawn(s, part(t, 7));
  const result<int> r = co_await h.join();
  if (r) {
    CHECK_EQ(*r, 7);
    ++t.well;
  } else {
    CHECK_EQ(r.status(), status::full);
    CHECK(!h.has_task());
    ++t.without_memory;
  }
  co_await s.join();
}

task<> in_a_set(tally& t) {
  async::task_set<int> set;
  for (int i = 0; i != 3; ++i) {
    const status how = set.spawn(part(t, 7));
    if (how == status::ok) continue;
    CHECK_EQ(how, status::full);
    ++t.without_memory;
  }
  for (;;) {
    const result<int> r = co_await set.next();
    if (r.status() == status::closed) break;
    CHECK_EQ(r.value_or(0), 7);
    ++t.well;
  }
}

task<> all(tally& t) {
  bool has_thrown = false;
  try {
    auto [a, b, c] = co_await async::when_all(part(t, 1), part(t, 2), async::sleep_for(milliseconds(1)));
    CHECK_EQ(a + b, 3);
    CHECK_EQ(c, status::ok);
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  ++(has_thrown ? t.without_memory : t.well);
}

task<> any(tally& t) {
  bool has_thrown = false;
  try {
    auto first = co_await async::when_any(part(t, 1), part(t, 1), async::sleep_for(milliseconds(1)));
    CHECK(first.index() != 2u);
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  ++(has_thrown ? t.without_memory : t.well);
}

task<> ranges(tally& t) {
  bool has_thrown = false;
  try {
    std::vector<task<int>> first, second;
    for (int i = 0; i != 3; ++i) first.push_back(part(t, i));
    const std::vector<int> got = co_await async::when_all(std::move(first));
    for (int i = 0; i != 3; ++i) CHECK_EQ(got[static_cast<size_t>(i)], i);
    for (int i = 0; i != 3; ++i) second.push_back(part(t, i));
    const auto one = co_await async::when_any(std::move(second));
    CHECK_EQ(static_cast<int>(one.first), one.second);
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  ++(has_thrown ? t.without_memory : t.well);
}

task<> cases(tally& t) {
  baton::signal bell;
  auto first = async::as_case(part(t, 1));
  auto second = async::as_case(part(t, 1));
  async::selection s = co_await async::select(bell.wait(), first);
  if (s.status == status::full) {
    ++t.without_memory;
  } else {
    CHECK_EQ(s.index, 1);
    CHECK_EQ(first.result(), 1);
    ++t.well;
  }
  s = co_await async::within(milliseconds(1), async::select(second, bell.wait()));
  if (s.status == status::full) {
    ++t.without_memory;
  } else {
    CHECK_EQ(s.index, 0);
    CHECK_EQ(second.result(), 1);
    ++t.well;
  }
}

task<> until_a_stop(tally& t) {
  async::stop_source source;
  const result<int> r = co_await async::until_stop(source.token(), part(t, 7));
  if (r.status() == status::full) {
    ++t.without_memory;
  } else {
    CHECK_EQ(r.value_or(0), 7);
    ++t.well;
  }
}

task<> of_its_frame(tally& t) {
  bool has_thrown = false;
  try {
    const int n = co_await async::with_frame(part(t, 7));
    CHECK_EQ(n, 7);
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  ++(has_thrown ? t.without_memory : t.well);
}

using scenario = task<> (*)(tally&);
constexpr scenario scenarios[] = {with_a_deadline, by_a_handle, in_a_set,     all,         any,
                                  ranges,          cases,       until_a_stop, of_its_frame};

/// Runs one of them to its end. false: there was no memory for its own frame.
bool run(scenario begin, tally& t) {
  async::scope s;
  {
    task<> body = begin(t);
    if (!body.has_frame()) return false;
    s.spawn(std::move(body));
  }
  scheduler::run();
  CHECK_EQ(s.running(), 0u);
  CHECK(!s.has_failed());
  s.destroy_all();
  CHECK_EQ(t.begun, t.ended);
  CHECK_EQ(async::frames().frames, 0u);
  return true;
}

async::frame_memory<8192> memory;

/// Gives the pool the first bytes of that memory until the end of the block.
class memory_of_pool {
 public:
  explicit memory_of_pool(size_t bytes) : own_(async::detail::frame_pool::own()) {
    async::detail::frame_pool::own() = {};
    async::use_for_frames(memory.bytes, bytes);
  }
  memory_of_pool(const memory_of_pool&) = delete;
  ~memory_of_pool() {
    CHECK_EQ(async::frames().frames, 0u);
    async::spi::unpoison(memory.bytes, sizeof memory);
    async::detail::frame_pool::own() = own_;
  }

 private:
  async::detail::frame_pool own_;
};

}  // namespace

TEST_CASE("every wait ends in a pool that has room for the first n frames alone, for each n") {
  for (scenario one : scenarios) {
    int without_memory = 0;
    bool has_enough = false;
    for (size_t bytes = 0; !has_enough && bytes <= sizeof memory; bytes += 16) {
      DOCTEST_CAPTURE(bytes);
      const memory_of_pool pool(bytes);
      tally t;
      if (!run(one, t)) continue;
      CHECK(t.well + t.without_memory > 0);
      without_memory += t.without_memory;
      has_enough = t.without_memory == 0;
    }
    CHECK(has_enough);
    CHECK(without_memory > 0);
  }
}

TEST_CASE("every wait ends whichever allocation the heap refuses") {
  for (scenario one : scenarios) {
    int without_memory = 0;
    bool was_refused = true;
    for (long n = 1; was_refused; ++n) {
      DOCTEST_CAPTURE(n);
      const memory_of_pool pool(sizeof memory);
      tally t;
      {
        const test::refused_allocation refused(n);
        CHECK(run(one, t));
        was_refused = refused.was_refused();
      }
      CHECK_EQ(t.without_memory != 0, was_refused);
      without_memory += t.without_memory;
    }
    CHECK_EQ(without_memory != 0, one == ranges);  // the others need no heap
  }
}

TEST_CASE("when_all and when_any with an empty part end at once, and no part begins") {
  tally t;
  const auto ends = [&t](auto whole_of) {
    bool has_thrown = false;
    try {
      const auto whole = whole_of();
      static_cast<void>(whole);
    } catch (const std::bad_alloc&) {
      has_thrown = true;
    }
    CHECK(has_thrown);
    CHECK_EQ(t.begun, 0);
    CHECK_EQ(async::frames().frames, 0u);
  };
  const auto parts = [&t] {
    std::vector<task<int>> made;
    made.push_back(part(t, 1));
    made.emplace_back();
    return made;
  };
  ends([&] { return async::when_all(part(t, 1), task<int>()); });
  ends([&] { return async::when_any(task<int>(), part(t, 1)); });
  ends([&] { return async::when_all(parts()); });
  ends([&] { return async::when_any(parts()); });
}
