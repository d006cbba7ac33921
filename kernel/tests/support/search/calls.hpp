// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/lease.hpp>

/// The calls that the search of all states makes, and the values of their words.
namespace baton {
namespace test {
namespace search {

/// The kind of values that a word of a request takes.
enum class values : uint8_t {
  nothing,
  tasks,         ///< the id of each slot, and the former one
  messages,      ///< the token of each slot, and the former one; `no_client`
  bits,          ///< those of the bounds
  masks,         ///< the same, and 0
  events,        ///< each, and one that is none
  slots,         ///< each, and one that is none
  descriptions,  ///< those of the bounds
  codes,         ///< an error code of a server's, and one that is none
  loans,         ///< a lease to the task of each slot, to read or to write; others to the first
  places,        ///< within a lease: its beginning, its end, too far; and no lease
};

/// A call of the alphabet: the values of each word of its request. To add a call, add a row here.
struct call_row {
  uint8_t number;
  const char* name;
  values first;
  values second;
  bool has_message;
  bool has_buffer;
  bool may_wait;
};

constexpr uint8_t number_of(kernel::call_number c) {
  return static_cast<uint8_t>(c);
}

constexpr uint8_t bad_call = kernel::calls;

// clang-format off
constexpr call_row call_table[] = {
  {number_of(kernel::call_number::send), "send", values::tasks, values::nothing, true, true, true},
  {number_of(kernel::call_number::receive), "receive", values::nothing, values::nothing, false, true, true},
  {number_of(kernel::call_number::reply), "reply", values::messages, values::nothing, true, false, false},
  {number_of(kernel::call_number::reply_receive), "reply_receive", values::messages, values::nothing, true, true, true},
  {number_of(kernel::call_number::yield), "yield", values::nothing, values::nothing, false, false, false},
  {number_of(kernel::call_number::exit), "exit", values::nothing, values::nothing, false, false, false},
  {number_of(kernel::call_number::my_tid), "my_tid", values::nothing, values::nothing, false, false, false},
  {number_of(kernel::call_number::parent), "parent", values::nothing, values::nothing, false, false, false},
  {number_of(kernel::call_number::create), "create", values::descriptions, values::nothing, false, false, false},
  {number_of(kernel::call_number::kill), "kill", values::tasks, values::nothing, false, false, false},
  {number_of(kernel::call_number::wait_interrupt_event), "wait_interrupt_event", values::events, values::nothing, false, false, true},
  {number_of(kernel::call_number::notify), "notify", values::tasks, values::bits, false, false, false},
  {number_of(kernel::call_number::wait_notification), "wait_notification", values::bits, values::nothing, false, false, true},
  {number_of(kernel::call_number::sleep), "sleep", values::nothing, values::nothing, false, false, true},
  {number_of(kernel::call_number::now), "now", values::nothing, values::nothing, false, false, false},
  {number_of(kernel::call_number::inspect), "inspect", values::slots, values::nothing, false, false, false},
  {number_of(kernel::call_number::set_notification_mask), "set_notification_mask", values::masks, values::nothing, false, false, false},
  {number_of(kernel::call_number::reply_error), "reply_error", values::messages, values::codes, false, false, false},
  {number_of(kernel::call_number::receive_from), "receive_from", values::tasks, values::nothing, false, true, true},
  {bad_call, "bad_call", values::nothing, values::nothing, false, false, false},
  {number_of(kernel::call_number::send_lending), "send_lending", values::loans, values::nothing, true, true, true},
  {number_of(kernel::call_number::copy_from), "copy_from", values::messages, values::places, false, true, false},
  {number_of(kernel::call_number::copy_to), "copy_to", values::messages, values::places, false, true, false},
  {number_of(kernel::call_number::take_end_report), "take_end_report", values::nothing, values::nothing, false, false, false},
};
// clang-format on

/// A lease of the alphabet: its task and access in one index.
constexpr unsigned index_of_loan(unsigned slot, kernel::lease_access access) {
  return slot | static_cast<unsigned>(access) << 4;
}
constexpr uint8_t slot_of_loan(uint8_t index) {
  return index & 0xf;
}
constexpr kernel::lease_access access_of_loan(uint8_t index) {
  return static_cast<kernel::lease_access>(index >> 4);
}

/// A place of a copy. Each list has one lease.
struct place {
  kernel::word piece;
  kernel::word offset;
};
constexpr kernel::word lent_bytes = 4;
constexpr place places[] = {{0, 0}, {0, lent_bytes - 2}, {0, lent_bytes - 1}, {1, 0}};

/// The index of notification bits: `told_of_end` stands for that of the kernel's own.
constexpr uint8_t told_of_end = 0x80;
constexpr kernel::word bits_of(uint8_t index) {
  return (index & 0x7fu) | (index & told_of_end ? kernel::ended_notification : 0);
}
constexpr uint64_t index_of_bits(kernel::word bits) {
  return (bits & kernel::ended_notification ? told_of_end : 0u) | (bits & ~kernel::ended_notification);
}

}  // namespace search
}  // namespace test
}  // namespace baton
