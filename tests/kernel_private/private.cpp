// SPDX-License-Identifier: MIT
//
// Private tasks: each reaches its own piece of memory, and what its description names, by itself and
// in the kernel's calls; and nothing else. The program names each failed check; the last line is the
// verdict.
#include <baton/board.hpp>
#include <baton/core/print.hpp>
#include <baton/kernel.hpp>

namespace kernel = baton::kernel;

namespace {

using kernel::error;
using kernel::word;

constexpr bool is_protected = baton::kernel_port::protects_memory;
#ifdef BATON_HAS_MPU
constexpr uintptr_t a_device = 0x40000000;
#else
uint32_t no_device;
const uintptr_t a_device = reinterpret_cast<uintptr_t>(&no_device);
#endif
constexpr word stack_bytes = baton::kernel_port::least_stack < 512 ? 512 : baton::kernel_port::least_stack;

/// The data of the tasks.
struct state {
  uint32_t magic = 0x600d600d;
  uint32_t starts = 0;
};

/// What a task and the judge share, and what is shared with nobody here.
struct board {
  volatile uint32_t goes_on;
  volatile word results[8];
  const void* data;
};

BATON_KERNEL_MEMORY kernel::system<5, 5, 1> the_kernel;
BATON_TASK_MEMORY kernel::task_memory<state, stack_bytes> victim_memory, owner_memory, child_memory;
BATON_KERNEL_MEMORY kernel::stack<2 * stack_bytes> judge_stack;
BATON_KERNEL_MEMORY kernel::shared_memory<board> desk, strange;
volatile uint32_t variable;
BATON_KERNEL_MEMORY bool has_failed;

/// The kernel's report of the last fault.
BATON_KERNEL_MEMORY struct {
  uint8_t count;
  kernel::fault why;
} seen;

void say(const char* text) {
  baton::print_line(baton::board::console{}, text);
}
void check(bool holds, const char* what) {
  if (holds) return;
  has_failed = true;
  baton::print_line(baton::board::console{}, "missing: ", what);
}

volatile uint32_t& word_at(uintptr_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}
template <typename T>
volatile uint32_t& word_of(T& object) {
  return word_at(reinterpret_cast<uintptr_t>(&object));
}

/// Says to the judge that it goes on.
void go_on() {
  desk.value.goes_on = desk.value.goes_on + 1;
}

// ---- What a private task must not touch

void read_variable(state&) {
  go_on();
  desk.value.results[0] = variable;
  go_on();
}
void write_variable(state&) {
  go_on();
  variable = 1;
  go_on();
}
void read_data_of_another(state&) {
  go_on();
  desk.value.results[0] = word_at(reinterpret_cast<uintptr_t>(desk.value.data));
  go_on();
}
void write_stack_of_another(state&) {
  go_on();
  owner_memory.words[8] = 0;
  go_on();
}
void read_kernel(state&) {
  go_on();
  desk.value.results[0] = word_of(the_kernel);
  go_on();
}
void read_what_others_share(state&) {
  go_on();
  desk.value.results[0] = word_of(strange);
  go_on();
}
void read_device(state&) {
  go_on();
  desk.value.results[0] = word_at(a_device);
  go_on();
}

/// Shares nothing with anybody.
void write_variable_alone(state&) {
  variable = 77;
}

struct misdeed {
  const char* name;
  void (*commit)(state&);
};
const misdeed misdeeds[] = {{"read a variable", read_variable},
                            {"write a variable", write_variable},
                            {"read another's data", read_data_of_another},
                            {"write another's stack", write_stack_of_another},
                            {"read the kernel's memory", read_kernel},
                            {"read what others share", read_what_others_share},
                            {"read a device", read_device}};

// ---- What it may

/// The device is part of its description.
void use_device(state&) {
  go_on();
  desk.value.results[0] = word_at(a_device);
  go_on();
}

/// Is ended and made again: its data is as new.
void count_starts(state& s) {
  desk.value.results[0] = s.magic;
  desk.value.results[1] = ++s.starts;
  s.magic = 0xbad;
  go_on();
  kernel::receive(nullptr, 0);
}

/// Names memory of each kind in calls. The judge counts the messages that it gets.
void name_memory(state& s) {
  go_on();
  const kernel::tid judge = kernel::parent();
  desk.value.results[0] = kernel::send(judge, &s, sizeof s, &s, sizeof s).raw();
  desk.value.results[1] = kernel::send(judge, &desk, 4, const_cast<word*>(&desk.value.results[7]), 4).raw();
  desk.value.results[2] = kernel::send(judge, const_cast<uint32_t*>(&variable), 4, nullptr, 0).raw();
  desk.value.results[3] = kernel::send(judge, nullptr, 0, const_cast<uint32_t*>(&variable), 4).raw();
  desk.value.results[4] = kernel::send(judge, owner_memory.words, 4, nullptr, 0).raw();
  desk.value.results[5] = kernel::send(judge, &strange, 4, nullptr, 0).raw();
  desk.value.results[6] = kernel::send(judge, reinterpret_cast<void*>(a_device), 4, nullptr, 0).raw();
  go_on();
}

void end_at_once(state&) {}

word outcome_of(const kernel::task_description& d) {
  const kernel::created c = kernel::create(d);
  if (c) kernel::kill(c.id);
  return c.result.raw();
}

/// Asks for children that would reach more than their maker, and for one that does not.
void make_children(state&) {
  go_on();
  const auto describe = [] { return kernel::describe(1, end_at_once, child_memory, "child"); };
  kernel::task_description open = describe();
  open.touches.is_private = false;
  desk.value.results[0] = outcome_of(open);
  desk.value.results[1] = outcome_of(kernel::sharing(strange, describe()));
  desk.value.results[2] = outcome_of(kernel::with_device(a_device + 0x1000, 0x400, describe()));
  kernel::task_description uneven = kernel::sharing(desk, describe());
  uneven.touches.shared.bytes -= 4;
  desk.value.results[3] = outcome_of(uneven);
  desk.value.results[4] = outcome_of(kernel::with_device(a_device, 0x400, kernel::sharing(desk, describe())));
  go_on();
}

/// Waits with data that nobody else may see.
void own(state& s) {
  desk.value.data = &s;
  kernel::receive(nullptr, 0);
}

// ---- The judge

void hear(const kernel::kernel_state&, const kernel::tcb&, kernel::fault why, word) {
  ++seen.count;
  seen.why = why;
}

kernel::task_description victim(void (*entry)(state&)) {
  return kernel::sharing(desk, kernel::describe(3, entry, victim_memory, "victim"));
}

/// Runs a task, which is more urgent than the judge, until it waits or has ended.
kernel::tid run(const kernel::task_description& d) {
  desk.value.goes_on = 0;
  seen.count = 0;
  const kernel::created c = kernel::create(d);
  check(static_cast<bool>(c), "the task begins");
  return c.id;
}

void judge_misdeed(const misdeed& m) {
  say(m.name);
  run(victim(m.commit));
  check(desk.value.goes_on == 1, "the task goes on until its misdeed, and no longer");
  check(seen.count == 1 && seen.why == kernel::fault::bad_access, "the misdeed is a fault");
}

void judge_starts() {
  for (int i = 0; i < 2; ++i) {
    const kernel::tid t = run(victim(count_starts));
    check(desk.value.results[0] == 0x600d600d && desk.value.results[1] == 1, "the data is constructed at each start");
    check(kernel::kill(t).is_ok(), "the task waits");
  }
}

void judge_without_shared_memory() {
  run(kernel::describe(3, write_variable_alone, victim_memory, "victim"));
  check(seen.count == 1 && seen.why == kernel::fault::bad_access && variable == 0, "a task may share nothing");
}

bool is_error(word result, error e) {
  return kernel::ipc_result(result).why() == e;
}

/// Answers until the task has ended.
void judge_names() {
  state s;
  run(victim(name_memory));
  int messages = 0;
  for (kernel::received m; (m = kernel::receive(&s, sizeof s, baton::milliseconds(2))); ++messages) {
    kernel::reply(m.client, &s, 4);
  }
  check(desk.value.goes_on == 2 && seen.count == 0, "a task may name any memory");
  check(desk.value.results[0] == 4 && desk.value.results[1] == 4, "its data and what it shares may be a message");
  for (int i = 2; is_protected && i < 7; ++i) {
    check(is_error(desk.value.results[i], error::bad_buffer), "no other memory may be a message");
  }
  check(!is_protected || messages == 2, "a refused call has done nothing");
}

void judge_children() {
  run(kernel::with_device(a_device, 0x400, victim(make_children)));
  check(desk.value.goes_on == 2 && seen.count == 0, "a private task may ask for children");
  if (is_protected) {
    check(is_error(desk.value.results[0], error::no_right), "a child of a private task is private");
    check(is_error(desk.value.results[1], error::no_right), "a child shares no more than its maker");
    check(is_error(desk.value.results[2], error::no_right), "a child has no device that its maker has not");
    check(is_error(desk.value.results[3], error::bad_buffer), "a piece that cannot be protected is refused");
  }
  check(desk.value.results[4] == 0, "a child may have what its maker has");
}

void judge_all(void*) {
  kernel::create(kernel::sharing(desk, kernel::describe(4, own, owner_memory, "owner")));
  check(desk.value.data != nullptr, "the owner waits");
  judge_starts();
  judge_names();
  judge_children();
  run(kernel::with_device(a_device, 0x400, victim(use_device)));
  check(desk.value.goes_on == 2 && seen.count == 0, "a device that is named is within reach");
  if (is_protected) {
    judge_without_shared_memory();
    for (const misdeed& m : misdeeds) judge_misdeed(m);
    check(static_cast<const state*>(desk.value.data)->magic == 0x600d600d, "the owner's data is whole");
  }
  say(has_failed ? "verdict: bad" : "verdict: good");
  the_kernel.stop();
}

}  // namespace

int main() {
  baton::board::start();
  the_kernel.on_fault = hear;
  the_kernel.create(kernel::describe_privileged(2, judge_all, judge_stack, "judge"));
  the_kernel.run();
  baton::board::finish(has_failed ? 1 : 0);
}
