// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/lease.hpp>
#include <baton/test/random.hpp>
#include <compare.hpp>

/// Random calls for the kernel of a test, good and bad: most of their words are live ids, tokens,
/// buffers and sizes.
namespace baton {
namespace test {

constexpr int slots = bare_kernel::most;
constexpr int stacks = slots + 2;
constexpr kernel::word room = 64;
constexpr kernel::word stack_bytes = kernel_port::least_stack;

/// A task's request and buffers, which live on while it waits.
struct belongings {
  kernel::request request;
  unsigned char out[room];
  unsigned char in[room + 1];  // one more, to send from an odd address
  kernel::lease_list_of<3> leases;
  unsigned char lent[room];
  unsigned char expected[room];  // in `lent`
};

/// The memory that all tasks share: their stacks, and the longest messages.
struct common_memory {
  alignas(64) unsigned char stacks_of_tasks[stacks][stack_bytes];
  unsigned char large_out[0x10000];
  unsigned char large_in[0x10000];
};

/// Draws calls that fit what the reference knows of the tasks.
class random_calls {
 public:
  using word = kernel::word;
  using call_number = kernel::call_number;

  random_calls(random& chance, const reference& expected, common_memory& memory)
      : chance_(chance), expected_(expected), memory_(memory) {}

  /// The name of a call for a failure's text.
  static const char* name_of(uint8_t number) {
    static const char* const names[] = {"send",
                                        "receive",
                                        "reply",
                                        "reply_receive",
                                        "yield",
                                        "exit",
                                        "my_tid",
                                        "parent",
                                        "create",
                                        "kill",
                                        "wait_interrupt_event",
                                        "notify",
                                        "wait_notification",
                                        "sleep",
                                        "now",
                                        "inspect",
                                        "set_notification_mask",
                                        "reply_error",
                                        "receive_from",
                                        "send_lending",
                                        "copy_from",
                                        "copy_to",
                                        "take_end_report"};
    return number < kernel::calls ? names[number] : "a bad call";
  }

  /// The number of a call; sometimes that of none.
  uint8_t call() {
    static const call_number likely[] = {call_number::send,
                                         call_number::send,
                                         call_number::send,
                                         call_number::send,
                                         call_number::send,
                                         call_number::receive,
                                         call_number::receive,
                                         call_number::receive,
                                         call_number::receive,
                                         call_number::reply,
                                         call_number::reply,
                                         call_number::reply,
                                         call_number::reply,
                                         call_number::reply_receive,
                                         call_number::reply_receive,
                                         call_number::reply_receive,
                                         call_number::reply_error,
                                         call_number::receive_from,
                                         call_number::send_lending,
                                         call_number::send_lending,
                                         call_number::copy_from,
                                         call_number::copy_from,
                                         call_number::copy_to,
                                         call_number::copy_to,
                                         call_number::sleep,
                                         call_number::wait_notification,
                                         call_number::wait_interrupt_event,
                                         call_number::notify,
                                         call_number::create,
                                         call_number::take_end_report,
                                         call_number::yield};
    if (chance_.one_in(8)) return static_cast<uint8_t>(chance_.below(kernel::calls + 2));
    return static_cast<uint8_t>(likely[chance_.below(sizeof likely / sizeof likely[0])]);
  }

  /// A request for a call; its buffers are the task's own.
  kernel::request request(call_number number, belongings& mine) {
    kernel::request r;
    r.first = first_word(number);
    r.out_length = some_length();
    r.second = number == call_number::notify ? bits() : some_buffer(mine.out, memory_.large_out, r.out_length);
    if (number == call_number::reply_error) r.second = some_code();
    r.in_length = some_length();
    r.in = some_buffer(mine.in, memory_.large_in, r.in_length);
    r.timeout = some_timeout();
    if (number == call_number::copy_from || number == call_number::copy_to) ask_for_copy(r);
    return r;
  }

  /// The address of a list of leases of the task's; sometimes a bad one.
  word leases(belongings& mine) {
    mine.leases.head = kernel::lease_list{task(), chance_.below(4)};
    for (kernel::lease& l : mine.leases.pieces) {
      l.address = chance_.one_in(20) ? nullptr : mine.lent + chance_.below(room / 2);
      l.bytes = chance_.below(room / 2);
      l.access = static_cast<kernel::lease_access>(chance_.below(4));
    }
    if (chance_.one_in(20)) return chance_.one_in(2) ? 0 : reinterpret_cast<word>(&mine.leases) + 1;
    return reinterpret_cast<word>(&mine.leases);
  }

  /// Bits of a notification, one or more.
  word bits() {
    const word second = chance_.one_in(4) ? 1u << chance_.below(5) : 0u;
    return 1u << chance_.below(5) | second | (chance_.one_in(4) ? kernel::ended_notification : 0);
  }

  /// The id of a task; sometimes one of a task that has ended or is still to come, or of none.
  kernel::tid task() {
    int slot = chance_.below(slots);
    for (int i = 0; i < 3 && expected_.at(slot).what == kernel::state::free; ++i) slot = chance_.below(slots);
    if (!chance_.one_in(16)) return expected_.at(slot).id;
    const kernel::tid odd[] = {
        0,     expected_.at(slot).id - 0x100, expected_.at(slot).id + 0x100, static_cast<word>(slot),
        0x1ff, static_cast<word>(-1)};
    return odd[chance_.below(6)];
  }

  /// A description, and its mistake.
  reference::creation creation(kernel::task_description& d, bool by_main) {
    const int stack = chance_.below(stacks);
    reference::creation c = {kernel::error::none, chance_.below(bare_kernel::priority_level_count), stack,
                             chance_.one_in(2)};
    d = {static_cast<kernel::priority>(c.priority),
         nothing,
         nullptr,
         memory_.stacks_of_tasks[stack],
         stack_bytes,
         "t",
         c.is_privileged};
    for (const reference::slot& s : expected_.slots) {
      if (s.what != kernel::state::free && s.stack == stack) c.refused = kernel::error::bad_stack;
    }
    if (!by_main || chance_.one_in(4)) spoil(d, c.refused, by_main);
    return c;
  }

 private:
  static void nothing(void*) {}

  word first_word(call_number number) {
    switch (number) {
      case call_number::wait_interrupt_event:
        return chance_.one_in(20) ? static_cast<word>(-1) - chance_.below(3)
                                  : chance_.below(bare_kernel::interrupt_event_count + 1);
      case call_number::wait_notification:
      case call_number::set_notification_mask:
        return chance_.one_in(3) ? 0 : bits();
      case call_number::reply:
      case call_number::reply_receive:
      case call_number::reply_error:
        return chance_.one_in(5) ? some_token() : some_client();
      default:
        return task();
    }
  }

  /// Puts a mistake into some descriptions. Without a name there is no description at all.
  void spoil(kernel::task_description& d, kernel::error& refused, bool by_main) {
    const uint16_t what = chance_.below(40);
    if (what > 6 || (what == 6 && by_main)) return;
    if (what == 0) d.stack = nullptr;
    if (what == 1) d.stack_bytes = stack_bytes - 16;
    if (what == 2) d.stack = static_cast<unsigned char*>(d.stack) + 4;
    if (what == 3) d.stack_bytes = static_cast<word>(-16);
    if (what == 4) d.entry = nullptr;
    if (what == 5) d.priority = bare_kernel::priority_level_count;
    if (what == 6) d.name = nullptr;
    refused = what < 4 ? kernel::error::bad_stack : what == 5 ? kernel::error::bad_priority : kernel::error::bad_buffer;
  }

  void ask_for_copy(kernel::request& r) {
    r.first = chance_.one_in(8) ? some_token() : some_client();
    const word odd[] = {room, 0xffff, static_cast<word>(-1), static_cast<word>(-4)};
    r.second = chance_.one_in(10) ? odd[chance_.below(4)] : chance_.below(room / 4);
    r.out_length = chance_.one_in(10) ? static_cast<word>(-1) - chance_.below(3) : chance_.below(4);
    if (!chance_.one_in(10)) r.in_length = chance_.below(room / 4);
  }

  word some_code() {
    if (!chance_.one_in(8)) return 1 + chance_.below(kernel::largest_error_code);
    const word odd[] = {0, kernel::largest_error_code, kernel::largest_error_code + 1, static_cast<word>(-1)};
    return odd[chance_.below(4)];
  }

  word some_length() {
    if (!chance_.one_in(25)) return chance_.below(room + 1);
    const word odd[] = {0x10000, static_cast<word>(-1), static_cast<word>(-5), static_cast<word>(1) << 31, 0xffff};
    return odd[chance_.below(5)];
  }

  word some_buffer(void* own, void* large, word length) {
    if (length == 0xffff) return reinterpret_cast<word>(large);  // the longest message
    if (chance_.one_in(30)) return 0;
    return reinterpret_cast<word>(own);
  }

  tick some_timeout() {
    const uint16_t what = chance_.below(20);
    if (what < 13) return kernel::unlimited;
    if (what < 18) return 1 + chance_.below(60);
    const tick odd[] = {0, kernel::longest_timeout, kernel::longest_timeout + 1, kernel::unlimited - 1};
    return odd[chance_.below(4)];
  }

  /// The token of a message; sometimes that of an earlier or a later one, or of none.
  word some_token() {
    const reference::slot& s = expected_.at(chance_.below(slots));
    if (!chance_.one_in(3)) return s.token - (chance_.one_in(2) ? 0x200 : 0);
    const word odd[] = {0, s.token + 0x200, s.id, 0x1ff, static_cast<word>(-1)};
    return odd[chance_.below(5)];
  }

  /// The message of a task that waits for the running task's reply, if there is one.
  word some_client() {
    const int start = chance_.below(slots);
    for (int i = 0; i < slots; ++i) {
      const reference::slot& s = expected_.at((start + i) % slots);
      if (s.what == kernel::state::reply_wait && s.on == expected_.running) return s.token;
    }
    return chance_.one_in(2) ? kernel::no_client.raw : some_token();
  }

  random& chance_;
  const reference& expected_;
  common_memory& memory_;
};

}  // namespace test
}  // namespace baton
