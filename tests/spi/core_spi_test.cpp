// SPDX-License-Identifier: MIT
//
// Core's service-provider interface, used as another module would.
#include <baton/core/channel.hpp>
#include <baton/core/coroutine.hpp>
#include <baton/core/scheduler.hpp>
#include <baton/core/spi/channel_store.hpp>
#include <baton/core/spi/domain_words.hpp>
#include <baton/core/spi/dropped_value.hpp>
#include <baton/core/spi/select_case.hpp>
#include <baton/core/spi/text.hpp>
#include <baton/core/spi/wait_extension.hpp>
#include <baton/test/check.hpp>

using namespace baton;

namespace {

struct line {
  void put(char c) { text[size++] = c; }
  bool is(const char* expected) const {
    uint8_t i = 0;
    while (i < size && expected[i] == text[i]) ++i;
    return i == size && !expected[i];
  }
  char text[40] = {};
  uint8_t size = 0;
};

using pipe_type = channel<uint8_t>;

/// A job of another module that waits for the first of two channels. It holds its record and cases.
struct chooser : waiter {
  chooser(pipe_type& first, pipe_type& second) : waiter(&run), source{&first, &second} { ready::push(this); }

  static point run(job* j, point at) {
    chooser& self = *static_cast<chooser*>(static_cast<waiter*>(j));
    return at == 0 ? self.begin() : self.end_wait();
  }

  point begin() {
    auto operations = spi::list_of(source[0]->receive(got[0]), source[1]->receive(got[1]));
    use_select();
    record.owner = this;
    record.cases = cases;
    at = 1;
    if (operations.try_from(record, 0)) return end_wait();
    on = waiter::selecting;
    operations.suspend_from(record, 0);
    if (on != waiter::selecting) return end_wait();  // one was closed
    ready::leave(this);
    next = nullptr;
    return suspended;
  }
  point end_wait() {
    ++ends;
    ready::leave(this);
    next = nullptr;
    return suspended;
  }

  pipe_type* source[2];
  uint8_t got[2] = {};
  uint8_t ends = 0;
  spi::select_record record;
  spi::select_case cases[2];
};

}  // namespace

TEST_CASE("text goes to any sink") {
  line l;
  spi::put_text(l, BATON_TEXT("ab"));
  spi::put_padding(l, 4, spi::length(BATON_TEXT("ab")));
  spi::put_number(l, 65535);
  spi::put_number(l, 7, 3);
  spi::put_text(l, spi::bin_label(9));
  spi::put_line_end(l);
  CHECK(l.is("ab  65535  7<1ms\r\n"));
  line cell;
  spi::put_name_cell(cell, BATON_TEXT("a name that is too long"));
  spi::put_name_cell(cell, nullptr);
  CHECK(cell.is("a name that             "));
}

TEST_CASE("a dropped value is counted, and the count saturates") {
  domain::dropped_values() = UINT16_MAX - 1;
  spi::count_dropped_value();
  CHECK_EQ(domain::dropped_values(), UINT16_MAX);
  spi::count_dropped_value();
  CHECK_EQ(domain::dropped_values(), UINT16_MAX);
  domain::dropped_values() = 0;
}

TEST_CASE("a store holds as many values as it has room for, oldest first; that of a rendezvous holds none") {
  spi::channel_store<uint8_t, 2> two;
  spi::channel_store<uint8_t, 0> none;
  uint8_t value = 0;
  CHECK(two.put(1));
  CHECK(two.put(2));
  CHECK(!two.put(3));
  CHECK(two.take(value));
  CHECK_EQ(value, 1);
  CHECK(two.take(value));
  CHECK_EQ(value, 2);
  CHECK(!two.take(value));
  CHECK(!none.put(1));
  CHECK(!none.take(value));
}

TEST_CASE("the traits of a value say how it is sent, and a landing destroys what was put into it") {
  struct moved {
    explicit moved(uint8_t* c) : count(c) {}
    moved(moved&& other) noexcept : count(other.count) { other.count = nullptr; }
    moved& operator=(moved&&) noexcept = default;
    ~moved() {
      if (count) ++*count;
    }
    uint8_t* count;
  };
  using of_byte = spi::value_traits<uint8_t>;
  using of_moved = spi::value_traits<moved>;
  static_assert(of_byte::is_copied && of_byte::has_default_constructor && !of_byte::copy_may_throw, "");
  static_assert(!of_moved::is_copied && !of_moved::has_default_constructor, "");
  uint8_t destroyed = 0;
  {
    spi::landing<moved> full, empty;
    full = moved(&destroyed);
    CHECK(full.is_full);
    CHECK(!empty.is_full);
    CHECK_EQ(destroyed, 0);
  }
  CHECK_EQ(destroyed, 1);
}

TEST_CASE("a job of another module waits for the first of two operations, and the other leaves its list") {
  pipe_type first, second;
  chooser c(first, second);
  scheduler::run_until_idle();
  CHECK_EQ(c.ends, 0);
  CHECK_EQ(second.try_send(5), status::ok);
  CHECK_EQ(first.try_send(6), status::full);
  scheduler::run_until_idle();
  CHECK_EQ(c.ends, 1);
  CHECK_EQ(c.record.won, 1);
  CHECK_EQ(c.got[1], 5);
  CHECK_EQ(c.got[0], 0);
}

TEST_CASE("a case that waits is withdrawn with its siblings, and a closed one ends the wait") {
  pipe_type first, second;
  chooser c(first, second);
  scheduler::run_until_idle();
  CHECK(c.record.withdraw_others(spi::select_record::none));
  CHECK_EQ(first.try_send(1), status::full);
  CHECK_EQ(second.try_send(1), status::full);
  CHECK(!c.record.withdraw_others(spi::select_record::none));
  second.close();
  chooser other(first, second);
  scheduler::run_until_idle();
  CHECK_EQ(other.ends, 1);
  CHECK_EQ(other.result(), status::closed);
  CHECK_EQ(first.try_send(1), status::full);
}

TEST_CASE("a state of another module is in no list of core's, and says nothing of how the wait ended") {
  waiter w([](job*, point) -> point { return suspended; });
  for (uint8_t state = spi::first_state_of_modules; state != waiter::lowest_address; ++state) {
    w.on = state;
    CHECK(!w.is_listed());
  }
  w.end(status::closed);
  CHECK_EQ(w.result(), status::closed);
}

TEST_CASE("a case that refuses is passed over for the next waiter, on ports whose cases may") {
  pipe_type pipe;
  static uint8_t asked;
  asked = 0;
  spi::select_case refusing;
  refusing.body = [](job*, point why) -> point {
    asked += why == select_case_claim;
    return spi::select_case_refusal;
  };
  struct receiver : coroutine<receiver, waiting> {
    explicit receiver(pipe_type& p) : source(p) {}
    point step(point at) {
      BATON_BEGIN();
      BATON_WAIT(source.receive(got));
      BATON_END();
    }
    pipe_type& source;
    uint8_t got = 0;
  };
  receiver next(pipe);
  uint8_t unread = 0;
  auto operation = pipe.receive(unread);
  use_select();
  // The test puts the case into the list by hand: as the running job it would have to stand in the
  // ready queue.
  refusing.slot = operation.slot;
  refusing.on = reinterpret_cast<uintptr_t>(operation.list());
  refusing.at = spi::cases_may_refuse ? spi::refusing_case_mark : select_case_mark;
  operation.list()->push(&refusing, operation.who | wait_list::watched);
  next.start();
  scheduler::run_until_idle();
  if (!spi::cases_may_refuse) operation.list()->remove(&refusing);
  CHECK_EQ(pipe.try_send(9), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(asked, spi::cases_may_refuse ? 1 : 0);
  CHECK_EQ(next.got, 9);
  CHECK_EQ(unread, 0);
}

namespace {

/// Waits for the signal of its domain, and counts.
struct domain_waiter : coroutine<domain_waiter, waiting> {
  explicit domain_waiter(isr_signal& s) : awaited(s) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      ++steps;
      BATON_WAIT(awaited.wait());
    }
    BATON_END();
  }
  isr_signal& awaited;
  uint8_t steps = 0;
};

}  // namespace

TEST_CASE("exchanged words are a second domain on the same processor") {
  isr_signal first_signal, second_signal;
  domain_waiter first(first_signal), second(second_signal);
  spi::domain_words words = {};
  first.start();
  words.exchange();
  CHECK(!scheduler::run_one());  // the job that is ready belongs to the other domain
  second.start();
  scheduler::run_until_idle();
  CHECK_EQ(second.steps, 1);
  first_signal.set();
  second_signal.set();
  scheduler::run_until_idle();
  CHECK_EQ(second.steps, 2);
  CHECK_EQ(first.steps, 0);
  words.exchange();
  scheduler::run_until_idle();
  CHECK_EQ(first.steps, 2);  // its signal was set before it waited
  first_signal.set();
  scheduler::run_until_idle();
  CHECK_EQ(first.steps, 3);
  CHECK_EQ(second.steps, 2);
  words.exchange();
  second.cancel();
  scheduler::run_until_idle();
  CHECK_EQ(second.steps, 3);
  second.suspend();
  words.exchange();
}

namespace {

using bytes_from_outside = isr_channel<uint8_t, 2>;

/// Receives from the channel of its domain.
struct domain_receiver : coroutine<domain_receiver, waiting> {
  explicit domain_receiver(bytes_from_outside& c) : from(c) {}
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(from.receive(got));
      ++received;
    }
    BATON_END();
  }
  bytes_from_outside& from;
  uint8_t got = 0;
  uint8_t received = 0;
};

}  // namespace

TEST_CASE("each of two domains hands the values of its own isr_channels to its own jobs") {
  bytes_from_outside first_line, second_line;
  domain_receiver first(first_line), second(second_line);
  spi::domain_words words = {};
  first.start();
  scheduler::run_until_idle();
  words.exchange();
  second.start();
  scheduler::run_until_idle();
  CHECK_EQ(first_line.send(1), status::ok);
  CHECK_EQ(second_line.send(2), status::ok);
  scheduler::run_until_idle();
  CHECK_EQ(first.received, 0);
  CHECK_EQ(first_line.depth(), 1);
  CHECK_EQ(second.received, 1);
  CHECK_EQ(second.got, 2);
  second.suspend();
  words.exchange();
  port::attention::raise();
  scheduler::run_until_idle();
  CHECK_EQ(first.received, 1);
  CHECK_EQ(first.got, 1);
}
