// SPDX-License-Identifier: MIT
#include <baton/test/text.hpp>
#include <compare.hpp>
#include <program.hpp>

// The output of the printers of print.hpp, to the last character.

using namespace baton;
using kernel::error;
using kernel::fault;
using kernel::state;
using test::ms;
using test::program;

TEST_CASE("each error, state and fault has its name") {
  const char* const errors[] = {"none",       "timed_out",    "peer_gone", "would_wait", "bad_task",
                                "bad_buffer", "no_right",     "deadlock",  "table_full", "bad_priority",
                                "bad_event",  "busy",         "bad_call",  "bad_stack",  "bad_timeout",
                                "notified",   "server_error", "bad_lease", "?"};
  for (uint8_t i = 0; i <= kernel::errors; ++i) {
    CHECK_EQ(std::string(kernel::error_name(static_cast<error>(i))), errors[i]);
  }
  CHECK_EQ(std::string(kernel::error_name(error::bad_stack)), "bad_stack");
  CHECK_EQ(std::string(kernel::error_name(error::notified)), "notified");
  const char* const states[] = {"free",       "ready",       "send_wait", "reply_wait", "receive_wait",
                                "event_wait", "notify_wait", "asleep",    "from_wait",  "?"};
  for (uint8_t i = 0; i < 10; ++i) CHECK_EQ(std::string(kernel::state_name(static_cast<state>(i))), states[i]);
  CHECK_EQ(std::string(kernel::state_name(state::asleep)), "asleep");
  CHECK_EQ(std::string(kernel::fault_name(fault::stack_overflow)), "stack overflow");
  CHECK_EQ(std::string(kernel::fault_name(fault::bad_access)), "bad access");
  CHECK_EQ(std::string(kernel::fault_name(fault::other)), "fault");
}

TEST_CASE("a task's line says what it waits for and on whom, its priorities, its stack, its timeout") {
  test::text_sink<800> sink;
  kernel::print_task_heading(sink);
  kernel::task_report r = {};
  r.id = 0x101;
  r.name = "server";
  r.state = state::receive_wait;
  r.base_priority = 2;
  r.priority = 2;
  r.stack_bytes = 4096;
  r.stack_used = 312;
  kernel::print_task(sink, r);
  r.id = 0x1202;
  r.name = "client";
  r.state = state::reply_wait;
  r.peer = 0x101;
  r.priority = 6;
  r.is_timed = true;
  r.due = 123456789;
  kernel::print_task(sink, r, "server");
  kernel::print_task(sink, r);
  r.name = "a very long name";
  r.state = state::event_wait;
  r.peer = kernel::no_task;
  r.interrupt_event = 7;
  r.is_timed = false;
  kernel::print_task(sink, r);
  r.name = nullptr;
  r.state = state::ready;
  r.is_running = true;
  kernel::print_task(sink, r);
  CHECK_TEXT(sink,
             "id        name         state        on           priority stack         due\r\n"
             "101       server       receive_wait -            2        312/4096      -\r\n"
             "1202      client       reply_wait   server       2>6      312/4096      123456789\r\n"
             "1202      client       reply_wait   #101         2>6      312/4096      123456789\r\n"
             "1202      a very long  event_wait   event 7      2>6      312/4096      -\r\n"
             "1202                   running      -            2>6      312/4096      -\r\n");
}

namespace {

/// Marks the stacks as if each task had used so many bytes.
void use_stacks(kernel::kernel_state& m, kernel::word bytes) {
  for (kernel::tcb* t = m.table; t != m.table + m.slots; ++t) {
    if (t->is_free()) continue;
    for (kernel::word i = 0; i < t->made.stack_bytes / 4; ++i) {
      t->stack[i] = i < (t->made.stack_bytes - bytes) / 4 ? kernel::detail::untouched : 0;
    }
  }
}

kernel::request ask(kernel::kernel_state& m, kernel::call_number call, kernel::word first, kernel::request& r) {
  r = {first, 0, 0, 0, 0, kernel::unlimited};
  kernel::enter(m, static_cast<kernel::word>(call), r);
  return r;
}

}  // namespace

TEST_CASE("all tasks of a kernel as a list, by slot") {
  static test::bare_kernel m;
  static kernel::stack<8192> stacks[3];
  kernel::request r[3];
  const char* const names[] = {"server", "client", "driver"};
  for (uint8_t i = 0; i < 3; ++i) {
    const kernel::task_description d = kernel::describe(static_cast<uint8_t>(i + 1), [](void*) {}, stacks[i], names[i]);
    r[0] = {0, reinterpret_cast<kernel::word>(&d), 0, 0, 0, 0};
    kernel::handlers::create(m, r[0]);
  }
  kernel::handle_pending(m);
  ask(m, kernel::call_number::wait_interrupt_event, 3, r[2]);
  ask(m, kernel::call_number::send, 0x100, r[1]);
  use_stacks(m, 400);
  test::text_sink<600> sink;
  kernel::print_tasks(sink, m);
  CHECK_TEXT(sink,
             "id        name         state        on           priority stack         due\r\n"
             "100       server       running      -            1>2      400/8192      -\r\n"
             "101       client       send_wait    server       2        400/8192      -\r\n"
             "102       driver       event_wait   event 3      3        400/8192      -\r\n");
}

TEST_CASE("a task prints the list by calls of the kernel") {
  program p;
  test::text_sink<600> sink;
  const kernel::tid server = p.task("server", 3, [&] {
    kernel::receive(nullptr, 0);
    kernel::sleep(ms(5));
  });
  p.task("client", 2, [&] { kernel::send(server, nullptr, 0, nullptr, 0, ms(20)); });
  p.task("lister", 1, [&] { kernel::print_tasks(sink); });
  p.run();
  // The use of the stacks depends on the compiler: that column is left out.
  std::string lines;
  for (const char* c = sink.text; *c; ++c) lines += *c;
  std::string without;
  for (size_t from = 0; from < lines.size(); from += lines.find('\n', from) + 1 - from) {
    const std::string line = lines.substr(from, lines.find('\r', from) - from);
    without += line.substr(0, 57) + line.substr(71) + '\n';
  }
  BATON_TEST_CHECK_SAME(without,
                        "id        name         state        on           priority due\n"
                        "100       server       asleep       -            3        5000000\n"
                        "101       client       reply_wait   server       2        20000000\n"
                        "102       lister       running      -            1        -\n");
}

TEST_CASE("a fault names its task") {
  test::text_sink<100> sink;
  kernel::tcb t;
  t.name = "pump";
  kernel::print_fault(sink, t, fault::stack_overflow, 0x20001f00);
  t.name = nullptr;
  t.id = 0x2fe;
  kernel::print_fault(sink, t, fault::bad_access, 0);
  CHECK_TEXT(sink, "task pump: stack overflow at 20001f00\r\ntask #2fe: bad access at 0\r\n");
}

TEST_CASE("a cycle of tasks without names is told by their ids") {
  kernel::tcb a, b;
  a.id = 0x100;
  b.id = 0x301;
  b.peer = &a;
  test::text_sink<100> sink;
  kernel::print_cycle(sink, a, b);
  CHECK_TEXT(sink, "deadlock: #100 -> #301 -> #100\r\n");
}
