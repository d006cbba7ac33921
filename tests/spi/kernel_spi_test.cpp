// SPDX-License-Identifier: MIT
//
// The kernel's service-provider interface, used as a port would.
#include <baton/kernel.hpp>
#include <baton/kernel/spi/stack_guard.hpp>
#include <baton/test/check.hpp>
#include <string>

using namespace baton;

namespace {

kernel::system<2> machine;
kernel::stack<8192> waits_on;
kernel::stack<65536> looks_on;  // checks take more under sanitizers
std::string log;

void note_fault(const kernel::kernel_state&, const kernel::tcb& t, kernel::fault why, kernel::word) {
  log += std::string(t.name) + (why == kernel::fault::stack_overflow ? " overflowed;" : " failed;");
}

kernel::tcb* task_of(const kernel::stack<8192>& s) {
  for (kernel::tcb* t = machine.table; t != machine.table + machine.slots; ++t) {
    if (!t->is_free() && t->stack == s.words) return t;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a task that overwrote its guard is ended when another is to run, and the fault is told") {
  machine.on_fault = note_fault;
  const auto wait = [](void*) { kernel::receive(nullptr, 0); };
  const auto look = [](void*) {
    kernel::tcb* const self = machine.running;
    kernel::tcb* const other = task_of(waits_on);
    CHECK(other);
    CHECK(kernel::spi::is_guard_intact(*other));
    CHECK_EQ(kernel::spi::check_guard(machine, other, self), self);
    *other->stack = 0;
    CHECK(!kernel::spi::is_guard_intact(*other));
    CHECK_EQ(kernel::spi::check_guard(machine, other, other), other);  // it goes on: no time is spent on it
    CHECK_EQ(log, "");
    CHECK_EQ(kernel::spi::check_guard(machine, other, self), self);
    CHECK_EQ(log, "waits overflowed;");
    CHECK(!task_of(waits_on));
    CHECK(kernel::spi::is_guard_intact(*self));
    log += "goes on";
  };
  CHECK(machine.create(kernel::describe(2, wait, waits_on, "waits")));
  CHECK(machine.create(kernel::describe(1, look, looks_on, "looks")));
  machine.run();
  CHECK_EQ(log, "waits overflowed;goes on");
}
