// SPDX-License-Identifier: MIT
#include <baton/kernel.hpp>
#include <baton/kernel/task_table.hpp>
#include <baton/test/check.hpp>
#include <string>

// The example of docs/kernel.md: a table of three tasks, of which two send to the third.

using namespace baton;

namespace {

std::string seen;

struct logger : kernel::fixed_privileged_task<3, 65536> {
  static const char* name() { return "logger"; }
  static void run();
};

struct pump : kernel::fixed_task<2, 65536, kernel::talks_to<logger>> {
  static const char* name() { return "pump"; }
  static void run();
};

struct valve : kernel::fixed_task<2, 65536, kernel::talks_to<logger>> {
  static const char* name() { return "valve"; }
  static void run();
};

using tasks = kernel::task_table<logger, pump, valve>;
BATON_KERNEL_MEMORY tasks::stacks stacks;
BATON_KERNEL_MEMORY kernel::fixed_system<tasks, 2> program(stacks);

void logger::run() {
  char line;
  kernel::received m = kernel::receive(&line, 1);
  while (m) {
    seen += m.from == tasks::id<pump>() ? "pump " : m.from == tasks::id<valve>() ? "valve " : "? ";
    seen += line;
    seen += ' ';
    m = kernel::reply_receive(m.client, nullptr, 0, &line, 1);
  }
}

void pump::run() {
  for (char c = 'a'; c != 'c'; ++c) CHECK(kernel::send(tasks::to<pump, logger>(), &c, 1, nullptr, 0));
  seen += kernel::my_tid() == tasks::id<pump>() ? "pump ends " : "? ";
}

void valve::run() {
  const char c = 'x';
  CHECK(kernel::send(tasks::to<valve, logger>(), &c, 1, nullptr, 0));
  kernel::sleep(milliseconds(5));
  CHECK_EQ(kernel::send(tasks::to<valve, logger>(), &c, 1, nullptr, 0).why(), kernel::error::none);
  seen += kernel::parent() == kernel::no_task ? "valve ends" : "?";
}

}  // namespace

TEST_CASE("the tasks of a table run with their priorities, names, rights and ids, and nobody makes them") {
  static_assert(tasks::size == 3 && tasks::priority_levels == 4, "what the table says");
  CHECK_EQ(std::string(program.table[1].name), "pump");
  CHECK(program.table[0].is_privileged);
  CHECK(!program.table[1].is_privileged);
  CHECK_EQ(program.table[2].base_priority, 2);
  program.run();
  CHECK_EQ(seen, "pump a pump b pump ends valve x valve x valve ends");
  CHECK(program.find(tasks::id<logger>()) != nullptr);
  CHECK(program.find(tasks::id<pump>()) == nullptr);
}
