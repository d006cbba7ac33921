// SPDX-License-Identifier: MIT
//
// A task without privileges that makes any call of the kernel with any words, writes what it may
// between the calls, and now and then what it may not, which ends it.
#include "machine.hpp"
#include "words.hpp"

namespace hostile {

word drawer::foreign_place() {
  const word places[] = {reinterpret_cast<word>(&the_kernel),
                         end_of_kernel() - 16,
                         reinterpret_cast<word>(fence),
                         reinterpret_cast<word>(ping_stack.words),
                         reinterpret_cast<word>(timer_stack.words + good_stack_bytes / 4 - 8),
                         reinterpret_cast<word>(child_stacks),
                         stack_of_main(),
                         code()};
  constexpr uint32_t n = sizeof places / sizeof *places;
  constexpr uint32_t registers = sizeof forbidden_registers / sizeof *forbidden_registers;
  const uint32_t i = below(n + registers);
  return i < n ? places[i] : forbidden_registers[i - n];
}

namespace {

using kernel::call_number;

void child_that_waits(void*) {
  char buffer[16];
  kernel::receive(buffer, sizeof buffer);
}
void child_that_asks(void*) {
  char buffer[16] = "question";
  while (kernel::send(kernel::parent(), buffer, sizeof buffer, buffer, sizeof buffer)) {
  }
}
void child_that_lends(void*) {
  char buffer[16] = "lent";
  while (kernel::send_lending(kernel::parent(), buffer, sizeof buffer, buffer, sizeof buffer,
                              {kernel::lend(shared.value.scratch, sizeof shared.value.scratch)})) {
  }
}
void child_that_faults(void*) {
  *reinterpret_cast<volatile uint32_t*>(fence) = 0;
  ++shared.value.went_through;
}

void (*const entries[])(void*) = {child_that_waits, child_that_asks, child_that_lends, child_that_faults};

/// Describes what a private task's child touches, most of which the task has not itself.
void draw_reach(drawer& draws, kernel::task_description& d) {
#ifdef BATON_PRIVATE_MEMORY
  d.touches.is_private = draws.below(4) != 0;
  if (draws.below(4) == 0) {
    const word bytes = 32u << draws.below(12);
    d.touches.shared = {reinterpret_cast<void*>(draws.draw(kind::address) & (0 - bytes)), bytes};
  }
  if (draws.below(4) == 0) d.touches.device = {reinterpret_cast<void*>(draws.draw(kind::address)), draws.below(64)};
#else
  static_cast<void>(draws);
  static_cast<void>(d);
#endif
}

/// Describes a child, whose stack and name are the task's to give only if `draws` is careful.
void describe_child(drawer& draws) {
  kernel::task_description& d = draws.description;
  kernel::stack<child_stack_bytes>& s = child_stacks[draws.below(2)];
  d = with_common(kernel::describe(hostile_priority, entries[draws.below(4)], s, "child"));
  if (draws.below(16) == 0) d.priority = static_cast<kernel::priority>(ping_priority + draws.below(3));
  if (draws.is_careful()) return;
  static const word sizes[] = {128, 256, 512, 1024, 65536};
  if (draws.below(2)) {
    d.stack_bytes = sizes[draws.below(sizeof sizes / sizeof *sizes)];
    d.stack = reinterpret_cast<void*>(draws.draw(kind::address) & (0 - d.stack_bytes));
  }
  if (draws.below(4) == 0) d.name = reinterpret_cast<const char*>(draws.draw(kind::address));
  // Any code is a function to the kernel, so the others lie elsewhere.
  if (draws.below(8) == 0) d.entry = reinterpret_cast<void (*)(void*)>(draws.own_place() | 1);
  if (draws.below(8) == 0) d.priority = static_cast<kernel::priority>(draws.draw(kind::bits));
  d.is_privileged = draws.below(4) == 0;
  draw_reach(draws, d);
}

/// The kinds of a call's five words.
struct signature {
  kind first, second, out_length, in, in_length;
};
signature signature_of(word number) {
  switch (static_cast<call_number>(number)) {
    case call_number::reply:
    case call_number::reply_receive:
      return {kind::token, kind::address, kind::length, kind::address, kind::length};
    case call_number::create:
      return {kind::id, kind::description, kind::length, kind::address, kind::length};
    case call_number::wait_interrupt_event:
      return {kind::event, kind::address, kind::length, kind::address, kind::length};
    case call_number::send:
      return {kind::server, kind::address, kind::length, kind::address, kind::length};
    case call_number::kill:
      return {kind::child, kind::address, kind::length, kind::address, kind::length};
    case call_number::notify:
      return {kind::id, kind::bits, kind::length, kind::address, kind::length};
    case call_number::wait_notification:
    case call_number::set_notification_mask:
      return {kind::bits, kind::address, kind::length, kind::address, kind::length};
    case call_number::reply_error:
      return {kind::token, kind::small, kind::length, kind::address, kind::length};
    case call_number::receive_from:
      return {kind::child, kind::address, kind::length, kind::address, kind::length};
    case call_number::send_lending:
      return {kind::leases, kind::address, kind::length, kind::address, kind::length};
    case call_number::copy_from:
    case call_number::copy_to:
      return {kind::token, kind::small, kind::small, kind::address, kind::length};
    case call_number::inspect:
      return {kind::slot, kind::address, kind::length, kind::address, kind::length};
    default:
      return {kind::id, kind::address, kind::length, kind::address, kind::length};
  }
}

/// True if the call gives no result, and so cannot fail.
bool never_fails(word number) {
  const call_number n = static_cast<call_number>(number);
  return n == call_number::yield || n == call_number::my_tid || n == call_number::parent || n == call_number::now ||
         n == call_number::set_notification_mask;
}

void count(word number, kernel::answer a) {
  if (number >= kernel::calls) {
    ++shared.value.counts.refused[kernel::calls];
  } else if (!never_fails(number)) {
    ++(kernel::ipc_result(a.first).is_ok() ? shared.value.counts.succeeded : shared.value.counts.refused)[number];
  }
}

/// The calls that need the message of a client, the likelier ones more often.
constexpr word of_clients[] = {
    static_cast<word>(call_number::reply_receive), static_cast<word>(call_number::reply_receive),
    static_cast<word>(call_number::reply),         static_cast<word>(call_number::reply_error),
    static_cast<word>(call_number::copy_from),     static_cast<word>(call_number::copy_from),
    static_cast<word>(call_number::copy_to),       static_cast<word>(call_number::copy_to)};

bool needs_client(word number) {
  const call_number n = static_cast<call_number>(number);
  return n == call_number::reply_error || n == call_number::copy_from || n == call_number::copy_to;
}

void call(drawer& draws) {
  constexpr word end = static_cast<word>(call_number::exit);
  constexpr word reply = static_cast<word>(call_number::reply);
  draws.begin_call();
  word number = draws.below(kernel::calls);
  if (draws.is_careful() && draws.has_client() && draws.below(4)) number = of_clients[draws.below(8)];
  if (!draws.has_client() && needs_client(number) && draws.below(8)) number = static_cast<word>(call_number::yield);
  if (!draws.is_careful() && draws.below(32) == 0) number = draws.draw(kind::length);
  if (number == static_cast<word>(call_number::kill) && draws.below(4)) number = static_cast<word>(call_number::yield);
  if (number == end && draws.below(8)) number = static_cast<word>(call_number::receive);
  if (number == end) ++shared.value.counts.succeeded[end];
  if (number == static_cast<word>(call_number::create)) describe_child(draws);
  const signature s = signature_of(number);
  ++shared.value.counts.calls;
  const word first = draws.draw(s.first), second = draws.draw(s.second), out_length = draws.draw(s.out_length);
  const word in = draws.draw(s.in), in_length = draws.draw(s.in_length);
  const kernel::answer a =
      call_raw(number, first, second, out_length, in, in_length, static_cast<baton::tick>(draws.draw(kind::timeout)));
  count(number, a);
  if (number == static_cast<word>(call_number::create) && kernel::ipc_result(a.first).is_ok()) {
    draws.remember_child(a.second);
  }
  if (number == reply || number == static_cast<word>(call_number::reply_error)) draws.remember_client(0);
  const bool receives = number == static_cast<word>(call_number::receive) ||
                        number == static_cast<word>(call_number::receive_from) ||
                        number == static_cast<word>(call_number::reply_receive);
  if (receives) draws.remember_client(kernel::ipc_result(a.first).is_ok() ? a.second : 0);
}

void write_what_it_may(drawer& draws) {
  shared.value.scratch[draws.below(sizeof shared.value.scratch)] = static_cast<char>(draws.next());
  drawer::low_end()[draws.below(scratch_named)] = static_cast<char>(draws.next());
}

/// Writes, reads or runs what is not the task's.
void trespass(drawer& draws) {
  const word places[] = {reinterpret_cast<word>(&the_kernel) + draws.below(sizeof the_kernel),
                         reinterpret_cast<word>(fence + draws.below(fence_words)),
                         reinterpret_cast<word>(ping_stack.words + draws.below(good_stack_bytes / 4)),
                         reinterpret_cast<word>(pong_stack.words + draws.below(good_stack_bytes / 4)),
                         reinterpret_cast<word>(timer_stack.words + draws.below(good_stack_bytes / 4)),
                         reinterpret_cast<word>(child_stacks),
                         stack_of_main(),
                         are_private ? reinterpret_cast<word>(&ordinary) : stack_of_main(),
                         are_private ? a_device : stack_of_main(),
                         forbidden_registers[draws.below(sizeof forbidden_registers / sizeof *forbidden_registers)]};
  volatile char* const at = reinterpret_cast<volatile char*>(places[draws.below(sizeof places / sizeof *places)]);
  if (draws.below(4)) {
    *at = static_cast<char>(draws.next());
  } else {
    shared.value.scratch[0] = *at;
  }
  ++shared.value.went_through;
}

}  // namespace

void be_hostile(void* seed) {
  link_all(every_call());
  drawer draws(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(seed)));
  for (uint32_t n = 1;; ++n) {
    call(draws);
    write_what_it_may(draws);
    if (n % 32 == 0) draws.look();
    if (draws.below(512) == 0) trespass(draws);
  }
}

}  // namespace hostile
