// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/profiler_output.hpp>
#include <baton/kernel/types.hpp>

/// The names of errors, states and faults, for logs and lists. The text is in the port's memory for
/// constants: read it with `port::read`, or give it to a printer.
namespace baton {
namespace kernel {

namespace detail {

/// The entry of a list of texts, each of which ends with a zero.
inline port::text entry_of(port::text list, uint8_t n) {
  for (; n; --n) list += baton::spi::length(list) + 1;
  return list;
}

}  // namespace detail

/// The name of an error, such as `deadlock`; `?` for any other value.
inline port::text error_name(error e) {
  const uint8_t n = static_cast<uint8_t>(e);
  return detail::entry_of(
      BATON_TEXT(
          "none\0timed_out\0peer_gone\0would_wait\0bad_task\0bad_buffer\0no_right\0deadlock\0table_full\0"
          "bad_priority\0bad_event\0busy\0bad_call\0bad_stack\0bad_timeout\0notified\0server_error\0bad_lease\0?"),
      n < errors ? n : errors);
}

/// The name of a state, such as `reply_wait`; `?` for any other value.
inline port::text state_name(state s) {
  constexpr uint8_t states = static_cast<uint8_t>(state::from_wait) + 1;
  const uint8_t n = static_cast<uint8_t>(s);
  return detail::entry_of(
      BATON_TEXT("free\0ready\0send_wait\0reply_wait\0receive_wait\0event_wait\0notify_wait\0asleep\0from_wait\0?"),
      n < states ? n : states);
}

/// The name of a fault for a sentence, such as `stack overflow`; `?` for any other value.
inline port::text fault_name(fault f) {
  const uint8_t n = static_cast<uint8_t>(f);
  return detail::entry_of(BATON_TEXT("stack overflow\0bad access\0fault\0?"), n < 3 ? n : 3);
}

}  // namespace kernel
}  // namespace baton
