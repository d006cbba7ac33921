// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/tcb.hpp>

/// Typed views of a request. A port saves five words and a timeout for any call. A view names the
/// words that one call uses: `as_send(r).destination()`. Nothing else in the kernel reads or writes
/// the words.
///
/// Cost     none: each function is one load or store.
namespace baton {
namespace kernel {

struct send_request {
  request& r;

  BATON_INLINE tid destination() const { return r.first; }
  BATON_INLINE word message() const { return r.second; }
  BATON_INLINE word message_bytes() const { return r.out_length; }
  BATON_INLINE word reply_buffer() const { return r.in; }
  BATON_INLINE word reply_capacity() const { return r.in_length; }
  BATON_INLINE void set_reply_bytes(word bytes) const { r.first = bytes; }
};

/// The view of a `send_lending`, which is a `send_request`, too, but for the destination.
struct send_lending_request {
  request& r;

  /// The address of a `lease_list`. It stays while the client waits.
  BATON_INLINE word leases() const { return r.first; }
};

/// The view of `copy_from` and `copy_to`.
struct copy_request {
  request& r;

  BATON_INLINE word client() const { return r.first; }
  BATON_INLINE word offset() const { return r.second; }
  BATON_INLINE word piece() const { return r.out_length; }
  BATON_INLINE word buffer() const { return r.in; }
  BATON_INLINE word bytes() const { return r.in_length; }
  BATON_INLINE void set_copied_bytes(word bytes) const { r.first = bytes; }
};

/// The view of a `receive`. A `receive_from` is this, too, and a `reply_receive` is a
/// `reply_request` and a `receive_request`.
struct receive_request {
  request& r;

  BATON_INLINE word buffer() const { return r.in; }
  BATON_INLINE word capacity() const { return r.in_length; }
  BATON_INLINE void set_message_bytes(word bytes) const { r.first = bytes; }
  BATON_INLINE void set_client(word token) const { r.second = token; }
  BATON_INLINE void set_sender(tid sender) const { r.out_length = sender; }
};

struct receive_from_request {
  request& r;

  BATON_INLINE tid source() const { return r.first; }
};

struct reply_request {
  request& r;

  BATON_INLINE word client() const { return r.first; }
  BATON_INLINE word message() const { return r.second; }
  BATON_INLINE word message_bytes() const { return r.out_length; }
  BATON_INLINE void set_copied_bytes(word bytes) const { r.first = bytes; }
};

struct reply_error_request {
  request& r;

  BATON_INLINE word client() const { return r.first; }
  BATON_INLINE word code() const { return r.second; }
};

struct create_request {
  request& r;

  BATON_INLINE word description() const { return r.second; }
  BATON_INLINE void set_description(word address) const { r.second = address; }
  BATON_INLINE void set_id(tid id) const { r.second = id; }
  BATON_INLINE created result() const { return created{ipc_result(r.first), r.second}; }
};

struct kill_request {
  request& r;

  BATON_INLINE tid victim() const { return r.first; }
};

struct wait_interrupt_event_request {
  request& r;

  BATON_INLINE word event() const { return r.first; }
};

struct notify_request {
  request& r;

  BATON_INLINE tid destination() const { return r.first; }
  BATON_INLINE word bits() const { return r.second; }
};

struct wait_notification_request {
  request& r;

  BATON_INLINE word bits() const { return r.first; }
  BATON_INLINE void set_taken(word bits) const { r.second = bits; }
};

struct set_notification_mask_request {
  request& r;

  BATON_INLINE word mask() const { return r.first; }
};

struct inspect_request {
  request& r;

  BATON_INLINE word slot() const { return r.first; }
  BATON_INLINE word report() const { return r.in; }
};

struct take_end_report_request {
  request& r;

  BATON_INLINE word report() const { return r.in; }
};

/// The view of `my_tid` and `parent`, which ask for nothing.
struct id_request {
  request& r;

  BATON_INLINE void set_id(tid id) const { r.first = id; }
};

struct now_request {
  request& r;

  BATON_INLINE void set_low(word bits) const { r.first = bits; }
  BATON_INLINE void set_high(word bits) const { r.second = bits; }
};

// clang-format off
BATON_INLINE send_request as_send(request& r) { return {r}; }
BATON_INLINE send_lending_request as_send_lending(request& r) { return {r}; }
BATON_INLINE copy_request as_copy(request& r) { return {r}; }
BATON_INLINE receive_request as_receive(request& r) { return {r}; }
BATON_INLINE receive_from_request as_receive_from(request& r) { return {r}; }
BATON_INLINE reply_request as_reply(request& r) { return {r}; }
BATON_INLINE reply_error_request as_reply_error(request& r) { return {r}; }
BATON_INLINE create_request as_create(request& r) { return {r}; }
BATON_INLINE kill_request as_kill(request& r) { return {r}; }
BATON_INLINE wait_interrupt_event_request as_wait_interrupt_event(request& r) { return {r}; }
BATON_INLINE notify_request as_notify(request& r) { return {r}; }
BATON_INLINE wait_notification_request as_wait_notification(request& r) { return {r}; }
BATON_INLINE set_notification_mask_request as_set_notification_mask(request& r) { return {r}; }
BATON_INLINE inspect_request as_inspect(request& r) { return {r}; }
BATON_INLINE take_end_report_request as_take_end_report(request& r) { return {r}; }
BATON_INLINE id_request as_id(request& r) { return {r}; }
BATON_INLINE now_request as_now(request& r) { return {r}; }
// clang-format on

namespace detail {

/// Writes the result of a call.
BATON_INLINE void complete(request& r, ipc_result o) {
  r.first = o.raw();
}

}  // namespace detail
}  // namespace kernel
}  // namespace baton
