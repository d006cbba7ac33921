// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/servers/serial.hpp>
#include <stdint.h>

namespace baton {
namespace kernel {

/// A first-in-first-out queue of bytes for one task.
///
/// Shape    `Size` bytes, inline.
template <uint8_t Size>
class byte_queue {
  static_assert(Size >= 1, "Size must be at least 1");

 public:
  uint8_t depth() const { return used_; }
  uint8_t room() const { return static_cast<uint8_t>(Size - used_); }

  /// Appends bytes, for which there must be room.
  void put(const uint8_t* from, uint8_t count) {
    for (uint8_t i = 0; i < count; ++i) bytes_[slot(static_cast<uint8_t>(used_ + i))] = from[i];
    used_ = static_cast<uint8_t>(used_ + count);
  }

  /// Copies the oldest bytes, at most `most`, and returns their number. They stay in the queue.
  uint8_t peek(uint8_t* to, uint8_t most) const {
    const uint8_t count = used_ < most ? used_ : most;
    for (uint8_t i = 0; i < count; ++i) to[i] = bytes_[slot(i)];
    return count;
  }

  /// Removes the oldest bytes, which must be there.
  void drop(uint8_t count) {
    first_ = slot(count);
    used_ = static_cast<uint8_t>(used_ - count);
  }

 private:
  uint8_t slot(uint8_t offset) const { return static_cast<uint8_t>((first_ + offset) % Size); }

  uint8_t first_ = 0;
  uint8_t used_ = 0;
  uint8_t bytes_[Size] = {};
};

/// The serial server without its tasks and its line: the clients that wait for bytes and for room,
/// and the stored bytes.
///
/// Shape    `Received` and `ToSend` bytes, `Waiters` clients that read and as many that write,
///          inline. No heap.
/// Context  one task. A reply comes first, and only if the client takes it do the bytes change
///          hands: a read or a write whose timeout has come has not happened.
template <uint8_t Received, uint8_t ToSend, uint8_t Waiters>
class serial_queues {
  static_assert(Received >= serial_chunk && ToSend >= serial_chunk,
                "Received and ToSend must each be at least kernel::serial_chunk");

 public:
  /// Does what a client asks for, and all that has become possible by it.
  void take(const received& m, const serial_request& q, bool is_notifier, bool is_transmitter, uint32_t lost) {
    if (!serial_protocol::is_whole(m) || q.count > serial_chunk) return answer(m.client, error::bad_call);
    readers_.remove(m.client);
    writers_.remove(m.client);
    const error why = begin(m.client, q, is_notifier, is_transmitter, lost);
    if (why != error::none) answer(m.client, why);
    while (go_on()) {
    }
  }

 private:
  /// Clients that wait, in the order of asking.
  struct waiters {
    serial_request asked[Waiters];
    reply_token clients[Waiters];
    uint8_t count = 0;

    bool add(reply_token client, const serial_request& q) {
      for (uint8_t i = count; count == Waiters && i-- > 0;) {
        if (!still_waits(clients[i])) remove_at(i);
      }
      if (count == Waiters) return false;
      clients[count] = client;
      asked[count++] = q;
      return true;
    }

    void remove(reply_token client) {
      for (uint8_t i = 0; i < count; ++i) {
        if (same_slot(clients[i], client)) return remove_at(i);
      }
    }

    void remove_at(uint8_t slot) {
      --count;
      for (uint8_t i = slot; i < count; ++i) {
        clients[i] = clients[i + 1];
        asked[i] = asked[i + 1];
      }
    }
  };

  static void answer(reply_token client, error why) { serial_protocol::reply(client, serial_reply{why, 0, {}}); }

  error begin(reply_token from, const serial_request& q, bool is_notifier, bool is_transmitter, uint32_t lost) {
    switch (q.what) {
      case serial_call::write_now:
        if (writers_.count || to_send_.room() < q.count) return error::would_wait;
        return writers_.add(from, q) ? error::none : error::table_full;
      case serial_call::write:
        return writers_.add(from, q) ? error::none : error::table_full;
      case serial_call::read_now:
        if (readers_.count || !received_.depth()) return error::would_wait;
        return readers_.add(from, q) ? error::none : error::table_full;
      case serial_call::read:
        return readers_.add(from, q) ? error::none : error::table_full;
      case serial_call::counts:
        return tell_counts(from, lost);
      case serial_call::received:
        if (!is_notifier) return error::no_right;
        notifier_ = from;
        came_ = q;
        return error::none;
      case serial_call::to_send:
        if (!is_transmitter) return error::no_right;
        transmitter_ = from;
        return error::none;
      default:
        return error::bad_call;
    }
  }

  error tell_counts(reply_token client, uint32_t lost) {
    counts_.lost = lost;
    serial_reply a = {error::none, 0, {}};
    __builtin_memcpy(a.bytes, &counts_, sizeof counts_);
    serial_protocol::reply(client, a);
    return error::none;
  }

  /// Does one step that is possible. false: none is.
  bool go_on() { return give_to_reader() || store_what_came() || take_from_writer() || feed_transmitter(); }

  bool give_to_reader() {
    if (!readers_.count || !received_.depth()) return false;
    serial_reply a = {error::none, 0, {}};
    a.count = received_.peek(a.bytes, readers_.asked[0].count);
    const reply_token client = readers_.clients[0];
    readers_.remove_at(0);
    if (serial_protocol::reply(client, a)) received_.drop(a.count);
    return true;
  }

  bool store_what_came() {
    if (notifier_ == no_client || received_.room() < came_.count) return false;
    received_.put(came_.bytes, came_.count);
    counts_.received += came_.count;
    const reply_token client = notifier_;
    notifier_ = no_client;
    answer(client, error::none);
    return true;
  }

  bool take_from_writer() {
    if (!writers_.count || to_send_.room() < writers_.asked[0].count) return false;
    const serial_request q = writers_.asked[0];
    const reply_token client = writers_.clients[0];
    writers_.remove_at(0);
    if (serial_protocol::reply(client, serial_reply{error::none, q.count, {}})) to_send_.put(q.bytes, q.count);
    return true;
  }

  bool feed_transmitter() {
    if (transmitter_ == no_client || !to_send_.depth()) return false;
    serial_reply a = {error::none, 0, {}};
    a.count = to_send_.peek(a.bytes, serial_chunk);
    const reply_token client = transmitter_;
    transmitter_ = no_client;
    if (serial_protocol::reply(client, a)) {
      to_send_.drop(a.count);
      counts_.sent += a.count;
    }
    return true;
  }

  byte_queue<Received> received_;
  byte_queue<ToSend> to_send_;
  waiters readers_;
  waiters writers_;
  serial_request came_ = {};
  serial_counts counts_ = {};
  reply_token notifier_ = no_client;     // while it waits for room
  reply_token transmitter_ = no_client;  // while it waits for bytes
};

}  // namespace kernel
}  // namespace baton
