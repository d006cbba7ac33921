// SPDX-License-Identifier: MIT
//
// Makes calls with wrong arguments: each returns an error and has no effect.
#include "program.hpp"

namespace faults {

namespace {

using kernel::error;
using kernel::word;

uint32_t good[2];

void refused(kernel::ipc_result o, const char* what) {
  if (o.why() != error::bad_buffer) check(false, what);
}

/// Passes a bad buffer at each place of each call.
void refuse_buffer(void* bad, word bytes, bool is_readable) {
  if (!is_readable) {
    refused(kernel::send(server, bad, bytes, good, 4), "a message to send that is not the task's is refused");
  }
  refused(kernel::send(server, good, 4, bad, bytes), "a buffer for a reply that is not the task's is refused");
  refused(kernel::receive(bad, bytes, baton::duration()).result,
          "a buffer for a message that is not the task's is refused");
  refused(kernel::reply_receive(kernel::no_client, nullptr, 0, bad, bytes, baton::duration()).result,
          "reply_receive refuses its buffer");
}

/// A reply from a buffer that is not the task's leaves the client waiting for a better one.
void send_to_parent(void*) {
  kernel::send(kernel::parent(), good, 4, good + 1, 4);
}

void refuse_reply(const void* bad, word bytes) {
  static BATON_TASK_MEMORY kernel::stack<256> client_stack;
  const kernel::created client = kernel::create(kernel::describe(3, send_to_parent, client_stack, "client"));
  uint32_t message;
  const kernel::received m = kernel::receive(&message, sizeof message);
  check(m.from == client.id, "a client sends");
  refused(kernel::reply(m.client, bad, bytes), "a reply that is not the task's is refused");
  refused(kernel::reply_receive(m.client, bad, bytes, &message, 4).result, "reply_receive refuses its reply");
  refused(kernel::reply_receive(m.client, good, 4, good, ~word{0}).result, "reply_receive refuses its buffer first");
  check(kernel::reply(m.client, good, 4).length() == 4, "the client still waits");
  kernel::sleep(baton::ticks(2));  // the client ends, and its stack is free
}

/// Copies messages whose ends are not aligned.
void send_unaligned() {
  char from[12] = "";
  char to[12] = "";
  const uint32_t n = 0x01020304;
  __builtin_memcpy(from + 1, &n, 4);
  const kernel::ipc_result o = kernel::send(server, from + 1, 4, to + 3, 4);
  uint32_t answer;
  __builtin_memcpy(&answer, to + 3, 4);
  check(o.length() == 4 && answer == n + 1 && to[2] == 0 && to[7] == 0, "buffers may lie at any address");
}

/// Passes memory that cannot be a stack, from every caller.
void refuse_stacks() {
  static BATON_TASK_MEMORY kernel::stack<256> unused;
  kernel::task_description d = kernel::describe(3, send_to_parent, unused, "client");
  const word kernel_itself = (reinterpret_cast<word>(&the_kernel) + 255) & ~word{255};
  static_assert(sizeof the_kernel >= 512, "a stack fits into it");
  d.stack = reinterpret_cast<void*>(kernel_itself);
  check(kernel::create(d).result.why() == error::bad_stack, "the kernel is no stack");
  d.stack = unused.words + 2;
  d.stack_bytes = 128 + 8;
  check(is_protected ? kernel::create(d).result.why() == error::bad_stack : true, "a region cannot cover any stack");
  d.stack_bytes = 128;
  check(is_protected ? kernel::create(d).result.why() == error::bad_stack : true, "a region cannot begin anywhere");
}

#if defined(__arm__) && __ARM_ARCH < 6

/// Asks the emulator to print, by a call of semihosting that privileged modes may make.
void print_by_the_emulator() {
  register word r0 __asm__("r0") = 4;
  register const char* r1 __asm__("r1") = "missing: a task has no call of semihosting but the end of the program\n";
  register word r12 __asm__("r12") = kernel::calls;
  __asm__ volatile("swi 0x123456" : "+r"(r0), "+r"(r1) : "r"(r12) : "memory");
  check(kernel::ipc_result(r0).why() == error::bad_call, "a call of semihosting is no call");
}

#else

void print_by_the_emulator() {}

#endif

}  // namespace

void ask_wrongly(void*) {
  print_by_the_emulator();
  refuse_buffer(nullptr, 4, false);
  refuse_buffer(good, static_cast<word>(-4), false);
  refuse_buffer(good, kernel::longest_message + 1, false);
  refuse_reply(nullptr, 4);
  refuse_reply(good, static_cast<word>(-1));
  check(kernel::send(server, nullptr, 0, nullptr, 0).is_ok(), "nothing may lie nowhere");
  send_unaligned();
  refuse_stacks();
  check(kernel::create(*static_cast<const kernel::task_description*>(nullptr)).result.why() == error::bad_buffer,
        "no description is refused");
  char unaligned[sizeof(kernel::task_description) + 4];
  check(kernel::create(*reinterpret_cast<const kernel::task_description*>(unaligned + 1)).result.why() ==
            error::bad_buffer,
        "a description that is not aligned is refused");
}

void ask_wrongly_where_memory_is_protected(void*) {
  uint32_t own[2];
#ifdef BATON_HAS_MPU
  refuse_buffer(__code_start - 8, 4, false);
#endif
  word* const bad[] = {reinterpret_cast<word*>(&the_kernel), reinterpret_cast<word*>(server_stack.words),
                       reinterpret_cast<word*>(static_cast<word>(-8)), reinterpret_cast<word*>(0x40)};
  for (word* p : bad) {
    refuse_buffer(p, 4, false);
    refuse_reply(p, 4);
  }
  // Only half of the buffer is the task's.
  refuse_buffer(victim_stack.words + sizeof victim_stack.words / 4 - 1, 8, false);
  refuse_buffer(reinterpret_cast<word*>(victim_stack.words) - 1, 8, false);
  // Constants can be sent, but not received into.
  static const uint32_t constant = 41;
  refuse_buffer(const_cast<uint32_t*>(&constant), 4, true);
  check(kernel::send(server, &constant, 4, own, 4).length() == 4 && own[0] == 42, "constants can be sent");
  kernel::task_report report;
  check(kernel::inspect(0, report).is_ok(), "the own stack can be written");
  check(kernel::inspect(0, reinterpret_cast<kernel::task_report&>(the_kernel)).why() == error::bad_buffer,
        "a report into the kernel's memory is refused");
  check(kernel::create(reinterpret_cast<kernel::task_description&>(the_kernel)).result.why() == error::bad_buffer,
        "a description in the kernel's memory is refused");
}

}  // namespace faults
