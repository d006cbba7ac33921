// SPDX-License-Identifier: MIT
#include <baton/test/random.hpp>
#include <baton/test/text.hpp>
#include <baton/test/trace.hpp>

namespace {

struct once : baton::coroutine<once> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    MARK("step");
    BATON_YIELD();
    MARK("step", 2);
    BATON_END();
  }
};

}  // namespace

TEST_CASE("a trace has the names of its objects, the transitions and the marks") {
  once job;
  NAME(job);
  job.start();
  CHECK_TRACE("job ready");
  baton::scheduler::run();
  CHECK_TRACE("job runs", "step", "job runs", "step 2", "job done");
}

TEST_CASE("each case starts on a fresh domain") {
  CHECK(baton::domain::tail() == nullptr);
  CHECK_EQ(baton::port::now(), 0);
  static once left_behind;
  left_behind.start();
  baton::sim::advance(7);
}

TEST_CASE("each case starts on a fresh domain, whatever the one before has left") {
  CHECK(baton::domain::tail() == nullptr);
  CHECK_EQ(baton::port::now(), 0);
}

TEST_CASE("a broken requirement is seen with its id") {
  CHECK_TRAPS(raised_by_test, BATON_REQUIRE(raised_by_test, baton::domain::tail() != nullptr));
}

TEST_CASE("text is compared to the last character") {
  baton::test::text_sink<8> sink;
  sink.put('a');
  sink.put('\r');
  CHECK_TEXT(sink, "a\r");
}

TEST_CASE("the generator gives the same numbers on every target") {
  baton::test::random r(1);
  CHECK_EQ(r.below(1000), 236);
  CHECK_EQ(r.below(1000), 369);
}
