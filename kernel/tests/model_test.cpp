// SPDX-License-Identifier: MIT
#include <baton/kernel.hpp>
#include <baton/kernel/end_reports.hpp>
#include <baton/test/check.hpp>
#include <baton/test/random.hpp>
#include <compare.hpp>
#include <memory>
#include <random_calls.hpp>
#include <string.h>

// The kernel's state machine against the reference (support/reference.hpp): random calls, good and
// bad, time, interrupts and faults. After each step the whole visible state must be the same. A
// failure names its seed and step.
//
// A second program of this source has the headers of support/windows: a call lets interrupts in at
// each place where a kernel that masks them would. For the reference they come after the call.

using namespace baton;
using kernel::call_number;
using kernel::word;
using test::belongings;
using test::reference;
using test::room;
using test::slots;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr uint32_t steps = 30000;
#else
constexpr uint32_t steps = 300000;
#endif
constexpr uint32_t seeds = 10;
constexpr uint8_t most_reports = 5;

test::common_memory memory;

class experiment {
 public:
  /// The experiment's clock wraps soon after the start.
  explicit experiment(uint32_t seed) : chance_(seed), seed_(seed), base_(static_cast<tick>(0) - tick{1000} * seed) {
    sim::clock::get().now = base_;
  }

  void run() {
    start_anew();
    for (step_ = 0; step_ < steps; ++step_) {
      if (chance_.one_in(20000) || is_stuck()) start_anew();
      do_something();
      if (!is_good_) return;
    }
  }

  uint32_t calls() const { return calls_; }

  /// Comes within a call, and touches what an interrupt touches. The running task is left alone,
  /// and so is one that is told of an end: the call may have looked at their bits already, or not.
  void interrupt_within() {
    ++windows_;
    if (!is_in_call_ || !chance_.one_in(4)) return;
    ++interrupts_;
    if (chance_.one_in(2)) return raise_some_event();
    const kernel::tid id = some_->task();
    const int t = expected_->find(id);
    if (t == reference::nobody || id == caller_ || id == expected_->told || !state_->find(id)) return;
    notify(id, some_->bits());
  }

  /// The places where interrupts could come within a call, and the interrupts that came.
  uint32_t windows() const { return windows_; }
  uint32_t interrupts() const { return interrupts_; }

  /// The number of calls that ended with this error.
  uint32_t ends(uint8_t error) const { return ends_[error]; }
  bool is_good() const { return is_good_; }

 private:
  void start_anew() {
    state_.reset(new test::bare_kernel);
    expected_.reset(new reference(slots, test::bare_kernel::interrupt_event_count));
    some_.reset(new test::random_calls(chance_, *expected_, memory));
    port::attention::lower();
    expected_->base = base_;
    if (chance_.one_in(3)) {
      expected_->slice = 15;
      slices_.reset(new kernel::time_slices(*state_, ticks(expected_->slice)));
    }
    const uint8_t reports = static_cast<uint8_t>(chance_.below(most_reports + 1));
    for (kernel::detail::kept_report& kept : kept_) kept = {};
    if (reports) reports_.reset(new kernel::detail::end_report_table(*state_, kept_, reports));
    expected_->reports = reports;
    for (int i = 0; i < 4; ++i) create_from_main();
    if (reports && chance_.one_in(2)) hear_of_orphans(some_->task());
    handle_pending();
  }

  void hear_of_orphans(kernel::tid id) {
    expected_->of_orphans = id;
    reports_->give_orphans_to(id);
  }

  /// True if no task runs or will run without help, and no slot is free.
  bool is_stuck() {
    for (const reference::slot& s : expected_->slots) {
      if (s.what == kernel::state::free) return false;
    }
    const int first = expected_->first_timed();
    const bool will_run = first != reference::nobody && expected_->at(first).due - (port::now() - base_) < 1000;
    return expected_->running == reference::nobody && !will_run && chance_.one_in(20);
  }

  void do_something() {
    const uint16_t what = chance_.below(100);
    if (what < 6) {
      pass_time();
    } else if (what < 10) {
      interrupt();
    } else if (expected_->running == reference::nobody) {
      what < 40 ? create_and_run() : what < 80 ? pass_time() : interrupt();
    } else if (what == 10 && chance_.one_in(20)) {
      expected_->fail();
      kernel::fail(*state_, kernel::fault::other, 0);
      compare("a fault");
    } else if (what == 11 && chance_.one_in(20)) {
      *state_->running->stack = 0;
      expected_->self().is_overwritten = true;
    } else {
      make_call();
    }
  }

  // Steps outside of tasks.

  void pass_time() {
    const int next = expected_->first_timed();
    tick ticks = chance_.below(chance_.one_in(10) ? 400 : 12);
    if (next != reference::nobody && chance_.one_in(3)) {
      const tick left = expected_->at(next).due - (port::now() - base_);
      if (left < 1000) ticks = left;
    }
    sim::advance(ticks);
    expected_->now = port::now() - base_;
    const int first = expected_->first_timed();
    if (first != reference::nobody && expected_->is_due(expected_->at(first).due)) {
      expect(port::attention::raised(), "an alarm that was not heard");
    }
    if (!chance_.one_in(4))
      handle_pending_if_raised();  // else the time passes in the kernel, which handles it after the next call
  }

  void interrupt() {
    if (chance_.one_in(2)) {
      raise_some_event();
    } else {
      const kernel::tid id = some_->task();
      notify(id, some_->bits());
    }
    if (!chance_.one_in(4))
      handle_pending_if_raised();  // else as if the kernel had been entered before: it looks after the call
  }

  void raise_some_event() {
    const uint8_t event = static_cast<uint8_t>(chance_.below(test::bare_kernel::interrupt_event_count + 2));
    expected_->raise_event(event);
    kernel::from_interrupt::raise_event(*state_, event);
  }

  void notify(kernel::tid id, word bits) {
    expected_->notify_from_interrupt(id, bits);
    kernel::from_interrupt::notify(*state_, id, bits);
  }

  void handle_pending_if_raised() {
    if (port::attention::raised()) handle_pending();
  }

  void handle_pending() {
    expected_->now = port::now() - base_;
    expected_->handle_pending();
    kernel::handle_pending(*state_);
    compare("handle_pending");
  }

  void create_and_run() {
    create_from_main();
    handle_pending();
  }

  void create_from_main() {
    kernel::task_description d;
    const reference::creation c = some_->creation(d, true);
    const bool is_good = c.refused == kernel::error::none;
    const int made = is_good ? expected_->create(c) : reference::nobody;
    kernel::request r = {};
    r.second = reinterpret_cast<word>(&d);
    kernel::handlers::create(*state_, r);
    const kernel::error e = !is_good ? c.refused : made < 0 ? kernel::error::table_full : kernel::error::none;
    expect(kernel::ipc_result(r.first).why() == e, "how a creation from main ended");
    if (made >= 0) expect(r.second == expected_->at(made).id, "the id of a task that main made");
  }

  // Calls.

  void make_call() {
    const int me = expected_->running;
    belongings& mine = of_[me];
    kernel::request& r = mine.request;
    const uint8_t number = some_->call();
    kernel::task_description d;
    const reference::creation c = some_->creation(d, false);
    kernel::task_report report;
    kernel::end_report end;
    memset(mine.out, static_cast<int>(step_ & 0x7f), room);
    memset(mine.in, 0xee, sizeof mine.in);
    if (number == static_cast<uint8_t>(call_number::copy_to))
      memset(mine.in, static_cast<int>(step_ & 0xff), sizeof mine.in);
    r = some_->request(static_cast<call_number>(number), mine);
    if (number == static_cast<uint8_t>(call_number::create)) {
      r.second = c.refused == kernel::error::bad_buffer && !d.name ? 0 : reinterpret_cast<word>(&d);
    }
    if (number == static_cast<uint8_t>(call_number::inspect)) {
      r.in = chance_.one_in(10) ? 0 : reinterpret_cast<word>(&report);
      r.first = chance_.below(slots + 3);
    }
    const bool takes_report = number == static_cast<uint8_t>(call_number::take_end_report);
    if (takes_report) r.in = chance_.one_in(10) ? 0 : reinterpret_cast<word>(&end);
    if (number == static_cast<uint8_t>(call_number::send_lending)) r.first = some_->leases(mine);
    expected_->now = port::now() - base_;
    caller_ = expected_->self().id;
    expected_->written = 0;
    expected_->call(number, r, c);
    expect_written(r);
    is_in_call_ = true;
    kernel::enter(*state_, number, r);
    is_in_call_ = false;
    ++calls_;
    compare(test::random_calls::name_of(number));
    for (const belongings& b : of_) expect(memcmp(b.lent, b.expected, room) == 0, "what was lent");
    if (number == static_cast<uint8_t>(call_number::inspect) && r.first == 0) compare_report(report);
    if (takes_report && r.first == 0) compare_end(end);
    handle_pending_if_raised();
  }

  /// Writes into the copy of lent memory what the reference says that the call will write there.
  void expect_written(const kernel::request& r) {
    for (belongings& b : of_) {
      const word at = expected_->written_to - reinterpret_cast<word>(b.lent);
      if (expected_->written != 0 && at < room)
        memcpy(b.expected + at, reinterpret_cast<const void*>(r.in), expected_->written);
    }
  }

  // The comparison.

  void expect(bool good, const char* what) {
    if (good || !is_good_) return;
    is_good_ = false;
    DOCTEST_CHECK_MESSAGE(false, "seed ", seed_, ", step ", step_, ", after ", std::string(after_), ": ",
                          std::string(what));
  }

  void compare(const char* after) {
    after_ = after;
    const char* what = test::comparison(*state_, *expected_).difference();
    expect(!what, what);
    for (int t = 0; t < slots && is_good_; ++t) compare_result(t);
  }

  /// Compares the result of a call, as soon as it has ended.
  void compare_result(int t) {
    reference::slot& s = expected_->at(t);
    belongings& b = of_[t];
    if (s.what != kernel::state::ready || !s.has_called) return;
    const kernel::request& r = b.request;
    expect(r.first == s.first, "what a call gave");
    if (!s.is_counted) count(kernel::ipc_result(s.first).why());
    s.is_counted = true;
    if (s.has_second) expect(r.second == s.second, "what a call gave beside it");
    if (s.has_sender) expect(r.out_length == s.sender, "whose message a call gave");
    if (!s.has_message || s.asked.in != reinterpret_cast<word>(b.in)) return;
    const void* const message = reinterpret_cast<const void*>(s.message);
    expect(s.message_bytes == 0 || memcmp(b.in, message, s.message_bytes) == 0, "a message's bytes");
    for (word i = s.message_bytes; i < sizeof b.in; ++i) expect(b.in[i] == 0xee, "a byte behind a message");
    s.has_message = false;
  }

  void count(kernel::error e) {
    if (static_cast<uint8_t>(e) < kernel::errors) ++ends_[static_cast<uint8_t>(e)];  // else the result was an id
  }

  void compare_report(const kernel::task_report& report) {
    const int slot = static_cast<int>(expected_->find(report.id));
    if (report.id == kernel::no_task) return;
    expect(slot != reference::nobody, "whom a report is about");
    if (slot == reference::nobody) return;
    const reference::slot& s = expected_->at(slot);
    expect(report.state == s.what && report.base_priority == s.base_priority && report.priority == s.priority,
           "a report");
    expect(report.peer == (s.on == reference::nobody ? kernel::no_task : expected_->at(s.on).id), "a report's peer");
    expect(report.is_timed == s.is_timed && report.is_running == (slot == expected_->running), "a report's flags");
  }

  void compare_end(const kernel::end_report& end) {
    const reference::report& r = expected_->taken;
    expect(end.id == r.id && end.name && end.how == r.how && end.why == r.why && end.lost == r.lost,
           "a report on an end");
  }

  std::unique_ptr<test::bare_kernel> state_;
  kernel::detail::kept_report kept_[most_reports] = {};
  std::unique_ptr<kernel::detail::end_report_table> reports_;
  std::unique_ptr<kernel::time_slices> slices_;
  std::unique_ptr<reference> expected_;
  std::unique_ptr<test::random_calls> some_;
  belongings of_[slots] = {};
  test::random chance_;
  uint32_t seed_;
  tick base_;
  const char* after_ = "nothing";
  uint32_t step_ = 0;
  uint32_t calls_ = 0;
  uint32_t ends_[kernel::errors] = {};
  bool is_good_ = true;
  bool is_in_call_ = false;
  kernel::tid caller_ = kernel::no_task;
  uint32_t windows_ = 0;
  uint32_t interrupts_ = 0;
};

experiment* current;

}  // namespace

void baton_test_window() {
  current->interrupt_within();
}

TEST_CASE("a million random calls, interrupts and faults do what the reference says") {
  uint32_t calls = 0;
  uint32_t ends[kernel::errors] = {};
  uint32_t windows = 0, interrupts = 0;
  for (uint32_t seed = 1; seed <= seeds; ++seed) {
    std::unique_ptr<experiment> e(new experiment(seed));
    current = e.get();
    e->run();
    CHECK(e->is_good());
    if (!e->is_good()) return;
    calls += e->calls();
    windows += e->windows();
    interrupts += e->interrupts();
    for (uint8_t i = 0; i < kernel::errors; ++i) ends[i] += e->ends(i);
  }
  for (uint8_t i = 0; i < kernel::errors; ++i) CHECK_WITH(ends[i] > calls / 10000, i);
#if !defined(__SANITIZE_ADDRESS__)
  CHECK(calls > 1000000);
#endif
  constexpr bool masks = kernel_port::masks_interrupts;
  CHECK((windows != 0) == masks);
  CHECK((interrupts > calls / 20) == masks);
}
