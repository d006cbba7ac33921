// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/servers/clients.hpp>

/// The protocol of a serial server and its clients.
namespace baton {
namespace kernel {

/// The largest number of bytes in a message.
constexpr uint8_t serial_chunk = 16;

enum class serial_call : uint8_t {
  write,      ///< answered when there is room
  write_now,  ///< answered at once
  read,       ///< answered when a byte has arrived
  read_now,   ///< answered at once
  counts,
  received,  ///< from the server's own notifier: bytes have arrived
  to_send,   ///< from the server's own transmitter: it asks for bytes
};

struct serial_request {
  serial_call what;
  uint8_t count;  // of bytes to write, or of bytes that are wanted
  uint8_t bytes[serial_chunk];
};

struct serial_reply {
  error why;
  uint8_t count;
  uint8_t bytes[serial_chunk];
};

using serial_protocol = protocol<serial_request, serial_reply>;

/// The traffic of a line.
struct serial_counts {
  uint32_t received;  ///< bytes that arrived and were stored
  uint32_t lost;      ///< bytes that arrived while all queues were full
  uint32_t sent;      ///< bytes that were given to the transmitter
};
static_assert(sizeof(serial_counts) <= serial_chunk, "serial_counts must fit in the bytes of a serial_reply");

/// A client's access to a serial server.
///
/// Errors   of all calls: bad_task, peer_gone: there is no serial server. table_full: too many
///          clients wait already.
class serial {
 public:
  constexpr explicit serial(tid server) : server_(server) {}

  /// Writes bytes, and waits while the server's queue is full; does not wait for the bytes to leave
  /// the line.
  ///
  /// Units    `timeout` is for each `serial_chunk` bytes. The length of the result is the number of
  ///          bytes that were taken: fewer than `count` if the rest met an error.
  /// Errors   if none was taken: timed_out; would_wait, with a timeout of 0; bad_buffer.
  ipc_result write(const void* bytes, word count, time_limit timeout = forever) const {
    if (count > longest_message || (!bytes && count)) return error::bad_buffer;
    word done = 0;
    while (done < count) {
      serial_request q = {timeout == duration() ? serial_call::write_now : serial_call::write, 0, {}};
      q.count = static_cast<uint8_t>(count - done < serial_chunk ? count - done : serial_chunk);
      __builtin_memcpy(q.bytes, static_cast<const uint8_t*>(bytes) + done, q.count);
      serial_reply a;
      const ipc_result o = detail::ask(server_, q, a, timeout == duration() ? time_limit(forever) : timeout);
      if (!o) return done ? ipc_result(done) : o;
      done += q.count;
    }
    return ipc_result(done);
  }

  /// Reads the bytes that have arrived, at least one and at most `serial_chunk`, and waits until
  /// there is one.
  ///
  /// Units    the length of the result is the number of bytes that were read.
  /// Errors   timed_out: none was read. would_wait: none was read, with a timeout of 0. bad_buffer.
  ipc_result read(void* bytes, word room, time_limit timeout = forever) const {
    if (!bytes || !room) return error::bad_buffer;
    serial_request q = {timeout == duration() ? serial_call::read_now : serial_call::read, 0, {}};
    q.count = static_cast<uint8_t>(room < serial_chunk ? room : serial_chunk);
    serial_reply a;
    const ipc_result o = detail::ask(server_, q, a, timeout == duration() ? time_limit(forever) : timeout);
    if (!o) return o;
    __builtin_memcpy(bytes, a.bytes, a.count);
    return ipc_result(static_cast<word>(a.count));
  }

  ipc_result counts(serial_counts& c) const {
    serial_reply a;
    const ipc_result o = detail::ask(server_, serial_request{serial_call::counts, 0, {}}, a, forever);
    if (o) __builtin_memcpy(&c, a.bytes, sizeof c);
    return o;
  }

 private:
  tid server_;
};

}  // namespace kernel
}  // namespace baton
