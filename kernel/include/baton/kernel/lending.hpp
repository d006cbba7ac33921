// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/lease.hpp>
#include <baton/kernel/send.hpp>

/// Leases: a client lends memory for the time of a `send`, and its server copies from it and to it.
///
/// A lease is valid while the client is in `reply_wait` for the caller with the message whose token
/// the caller has: until the reply, the client's timeout, or the end of either. The list of leases
/// stays in the client's memory, and so does each lent piece. The kernel reads a lease once, at
/// each copy, and tests then that the client itself may access the bytes: the content of the list
/// at the time of the send does not matter, for its memory may have changed since. The place of the
/// list does not change, so the send tests that the client may read its head.
namespace baton {
namespace kernel {

namespace detail {

/// The address of a lease in a list.
BATON_INLINE word address_of_lease(word list, word piece) {
  return list + static_cast<word>(sizeof(lease_list) + piece * sizeof(lease));
}

/// True if the list, whose head the task may read, has no such lease, or the task may not read it.
BATON_INLINE bool is_no_lease(const tcb* t, word list, word piece) {
  if (piece >= reinterpret_cast<const lease_list*>(list)->count) return true;
  return is_bad(t, address_of_lease(list, piece), sizeof(lease), false);
}

/// True if all of a copy lies within a lease for this access.
BATON_INLINE bool is_within(copy_request asked, const lease& lent, lease_access wanted) {
  const word bytes = lent.bytes, offset = asked.offset();
  if (!kernel_port::protects_memory && !lent.address) return false;
  return (static_cast<uint8_t>(lent.access) & static_cast<uint8_t>(wanted)) != 0 && offset <= bytes &&
         asked.bytes() <= bytes - offset;
}

/// Copies between the running task and what a client has lent.
template <lease_access Wanted>
BATON_INLINE void copy_lent(const kernel_state& m, request& r) {
  const tcb* self = m.running;
  const copy_request asked = as_copy(r);
  const tcb* client = m.client(asked.client());
  constexpr uint8_t lends = static_cast<uint8_t>(state::reply_wait) | lending;
  if (!client || client->peer != self || (client->state_bits & static_cast<uint8_t>(~timed)) != lends)
    return complete(r, error::no_right);
  const word here = asked.buffer(), bytes = asked.bytes();
  if (is_bad(self, here, bytes, Wanted == lease_access::read)) return complete(r, error::bad_buffer);
  const word list = as_send_lending(*client->call).leases();
  if (is_no_lease(client, list, asked.piece())) return complete(r, error::bad_lease);
  // Read once: the memory is the client's.
  const lease lent = *reinterpret_cast<const lease*>(address_of_lease(list, asked.piece()));
  const word there = reinterpret_cast<word>(lent.address) + asked.offset();
  if (!is_within(asked, lent, Wanted) || is_bad(client, there, bytes, Wanted == lease_access::write))
    return complete(r, error::bad_lease);
  asked.set_copied_bytes(bytes);
  constexpr bool reads = Wanted == lease_access::read;
  copy(reads ? here : there, reads ? there : here, bytes);
}

/// Sends as `handlers::send` does, with the bit `lending` in each state of the wait.
inline tcb* send_and_lend(kernel_state& m, request& r, tcb* self, tcb* to) {
  const uint8_t how = how_to_send_now(m, r, to);
  if (how != 0) return send_to_receiver(m, r, self, to, how | lending);
  if (self->state() == state::send_wait) self->state_bits |= lending;
  return m.running;
}

}  // namespace detail

namespace handlers {

/// Does `send`, and lends memory until the call ends.
///
/// Errors   as `send`. bad_buffer: the list of leases is not aligned, or not the caller's to read.
inline tcb* send_lending(kernel_state& m, request& r) {
  tcb* self = m.running;
  const send_request asked = as_send(r);
  const word list = as_send_lending(r).leases();
  if (list % alignof(lease_list) != 0 || detail::is_bad(self, list, sizeof(lease_list), false) ||
      detail::is_bad(self, asked.message(), asked.message_bytes(), false) ||
      detail::is_bad(self, asked.reply_buffer(), asked.reply_capacity(), true)) {
    return detail::refuse(m, r, error::bad_buffer);
  }
  tcb* to = m.find(reinterpret_cast<const lease_list*>(list)->destination);
  if (!to) return detail::refuse(m, r, error::bad_task);
  return detail::send_and_lend(m, r, self, to);
}

/// Copies from memory that a client has lent, into the caller's.
///
/// Context  the result is the number of bytes, all that were asked for.
/// Errors   no_right: no client that lends waits for the caller's reply to this message.
///          bad_buffer. bad_lease: the client has not lent all of that for this access, or may not
///          access it itself. Nothing was copied.
/// Cost     O(bytes)
BATON_INLINE tcb* copy_from(kernel_state& m, request& r) {
  tcb* self = m.running;
  detail::copy_lent<lease_access::read>(m, r);
  return self;
}

/// Copies into memory that a client has lent, from the caller's. Else as `copy_from`.
BATON_INLINE tcb* copy_to(kernel_state& m, request& r) {
  tcb* self = m.running;
  detail::copy_lent<lease_access::write>(m, r);
  return self;
}

}  // namespace handlers
}  // namespace kernel
}  // namespace baton
