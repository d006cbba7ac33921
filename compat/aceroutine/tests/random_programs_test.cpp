// SPDX-License-Identifier: MIT
#include "published_behaviour.hpp"
#include "support.hpp"

#include <baton/test/random.hpp>

// Random programs run on the headers and on the model of the published behaviour. Both leave the
// same trace: each value sent and received, each result of a call, and the status of every
// coroutine after each visit.

namespace {

using published::op;
using List = in_list<1>;

const std::vector<published::body>* bodies;
published::trace* events;
Channel<int>* ways;
int produced;

struct Fuzzed;  // NOLINT(readability-identifier-naming): sketches name classes like this
Fuzzed* coroutine_of(unsigned number);

/// Prints into the trace.
struct into_trace : Print {
  size_t write(uint8_t c) override {
    events->push_back(c);
    return 1;
  }
};

int next() {
  return ++produced;
}

/// The class of the program's coroutines, between `Coroutine` and the classes with the bodies.
struct Fuzzed : List {  // NOLINT(readability-identifier-naming)
  Fuzzed() : self(made_++) {}
  using List::getStatus;

  void prepare() {
    reset();
    mDelayStart = mDelayDuration = 0;
    tries = passed = 0;
    got = 0;
  }
  const published::body& steps() const { return (*bodies)[self]; }
  op what() const { return steps()[at].what; }
  uint16_t number() const { return steps()[at].number; }
  Channel<int>& way() const { return ways[wait]; }

  bool try_once() { return ++tries > wait; }
  bool suspend_and_try() {
    if (!tries) suspend();
    return try_once();
  }

  /// Does a step that is no wait. false: the body has to return.
  bool passes() {
    switch (what()) {
      case op::offer_by_call:
        ways[number()].setValue(next());
        events->push_back(ways[number()].write());
        return true;
      case op::write_by_call:
        events->push_back(ways[number()].write(next()));
        return true;
      case op::read_by_call:
        events->push_back(ways[number()].read(got));
        events->push_back(static_cast<uint32_t>(got));
        return true;
      case op::suspend:
        coroutine_of(number())->suspend();
        return true;
      case op::resume:
        coroutine_of(number())->resume();
        return true;
      case op::reset:
        coroutine_of(number())->reset();
        return true;
      case op::tell_status: {
        into_trace out;
        coroutine_of(number())->statusPrintTo(out);
        return true;
      }
      default:
        return ++passed % (number() + 1) == 0;
    }
  }

  unsigned self;
  unsigned at = 0;
  uint16_t wait = 0;  // the number of the step that began the last wait
  uint16_t tries = 0, passed = 0;
  int got = 0;

 private:
  static unsigned made_;
};
unsigned Fuzzed::made_ = 0;

}  // namespace

// The steps of a body; a wait point stands within the switch.
#define FUZZED_STEPS()                                 \
  for (at = 0; at < steps().size(); ++at) {            \
    if (what() <= op::read) wait = number();           \
    switch (what()) {                                  \
      case op::yield:                                  \
        COROUTINE_YIELD();                             \
        break;                                         \
      case op::delay_millis:                           \
        COROUTINE_DELAY(number());                     \
        break;                                         \
      case op::delay_micros:                           \
        COROUTINE_DELAY_MICROS(number());              \
        break;                                         \
      case op::delay_seconds:                          \
        COROUTINE_DELAY_SECONDS(number());             \
        break;                                         \
      case op::delay_by_hand:                          \
        setDelayMillis(number());                      \
        setDelaying();                                 \
        do {                                           \
          COROUTINE_YIELD_INTERNAL();                  \
        } while (!isDelayExpired());                   \
        setRunning();                                  \
        break;                                         \
      case op::await_tries:                            \
        tries = 0;                                     \
        COROUTINE_AWAIT(try_once());                   \
        break;                                         \
      case op::await_suspends:                         \
        tries = 0;                                     \
        COROUTINE_AWAIT(suspend_and_try());            \
        break;                                         \
      case op::write_local: {                          \
        int value;                                     \
        value = next();                                \
        COROUTINE_CHANNEL_WRITE(way(), value);         \
        break;                                         \
      }                                                \
      case op::write_effect:                           \
        COROUTINE_CHANNEL_WRITE(way(), next());        \
        break;                                         \
      case op::read:                                   \
        COROUTINE_CHANNEL_READ(way(), got);            \
        events->push_back(static_cast<uint32_t>(got)); \
        break;                                         \
      case op::end:                                    \
        COROUTINE_END();                               \
        break;                                         \
      default:                                         \
        if (!passes()) return 0;                       \
    }                                                  \
  }

// The newest coroutine, which is visited first, has the highest number.
COROUTINE(Fuzzed, fuzzed_0) {
  COROUTINE_LOOP() {
    FUZZED_STEPS();
    COROUTINE_YIELD();
  }
}

namespace {

struct ByHand : Fuzzed {  // NOLINT(readability-identifier-naming)
  int runCoroutine() override {
    COROUTINE_BEGIN();
    FUZZED_STEPS();
    COROUTINE_END();
  }
};
ByHand fuzzed_1;

}  // namespace

COROUTINE(Fuzzed, fuzzed_2) {
  COROUTINE_LOOP() {
    FUZZED_STEPS();
    COROUTINE_YIELD();
  }
}
namespace {
ByHand fuzzed_3;  // of the same class as fuzzed_1
}
COROUTINE(Fuzzed, fuzzed_4) {
  COROUTINE_LOOP() {
    FUZZED_STEPS();
    COROUTINE_YIELD();
  }
}

namespace {

Fuzzed* coroutine_of(unsigned number) {
  Fuzzed* const all[] = {&fuzzed_0, &fuzzed_1, &fuzzed_2, &fuzzed_3, &fuzzed_4};
  return all[number];
}

uint16_t number_for(op what, baton::test::random& random) {
  switch (what) {
    case op::delay_millis:
    case op::delay_micros:
    case op::delay_seconds:
    case op::delay_by_hand:
      return static_cast<uint16_t>(random.one_in(8) ? 32760 + random.below(32775) : random.below(60));
    case op::write_local:
    case op::write_effect:
    case op::read:
    case op::offer_by_call:
    case op::write_by_call:
    case op::read_by_call:
      return random.below(published::channels);
    case op::suspend:
    case op::resume:
    case op::reset:
    case op::tell_status:
      return random.below(published::coroutines);
    default:
      return random.below(4);
  }
}

std::vector<published::body> program(baton::test::random& random) {
  std::vector<published::body> all(published::coroutines);
  for (published::body& steps : all) {
    for (uint16_t left = random.below(9); left; --left) {
      op what = static_cast<op>(random.below(static_cast<uint16_t>(op::count)));
      steps.push_back({what, number_for(what, random)});
    }
  }
  return all;
}

/// The passing of time between two visits.
void pass(published::clocks& time, baton::test::random& random) {
  time.millis += random.below(30);
  time.micros += random.below(30);
  time.seconds += random.below(30);
  if (random.one_in(16)) {
    time.millis += 32000;
    time.micros += 32750;
    time.seconds += 33000;
  }
}

/// Other code of the program, which uses the stack.
BATON_NOINLINE void use_the_stack() {
  volatile uint8_t all[512];
  for (volatile uint8_t& one : all) one = 0x55;
}

constexpr unsigned visits = 200;

published::trace of_the_model(const std::vector<published::body>& all, baton::test::random random) {
  published::trace to;
  published::model program(all, to);
  program.time = {random.below(65535) * 65537u, random.below(65535) * 65537u, random.below(65535)};
  for (unsigned left = visits; left; --left) {
    program.loop();
    for (unsigned i = 0; i < published::coroutines; ++i) to.push_back(program.status_of(i));
    pass(program.time, random);
  }
  return to;
}

published::trace of_the_headers(const std::vector<published::body>& all, baton::test::random random) {
  published::trace to;
  Channel<int> channels[published::channels];
  bodies = &all;
  events = &to;
  ways = channels;
  produced = 0;
  for (unsigned i = 0; i < published::coroutines; ++i) coroutine_of(i)->prepare();
  scheduler_of<List>::setup();
  published::clocks time = {random.below(65535) * 65537u, random.below(65535) * 65537u, random.below(65535)};
  for (unsigned left = visits; left; --left) {
    TestableClockInterface::setMillis(time.millis);
    TestableClockInterface::setMicros(time.micros);
    TestableClockInterface::setSeconds(time.seconds);
    visit<List>();
    use_the_stack();
    for (unsigned i = 0; i < published::coroutines; ++i) to.push_back(coroutine_of(i)->getStatus());
    pass(time, random);
  }
  return to;
}

}  // namespace

TEST_CASE("20,000 random programs leave the trace that AceRoutine's documents describe") {
  for (uint32_t seed = 1; seed <= 20000; ++seed) {
    baton::test::random random(seed);
    std::vector<published::body> all = program(random);
    bool same = of_the_headers(all, random) == of_the_model(all, random);
    CHECK_WITH(same, seed);
    if (!same) break;
  }
}
