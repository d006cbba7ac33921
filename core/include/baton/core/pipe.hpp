// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/wait.hpp>

namespace baton {

/// The bytes that a job reads from a pipe: a member of the job.
struct pipe_read {
  constexpr pipe_read() = default;
  constexpr pipe_read(void* to, uint16_t room) : bytes(to), size(room) {}

  void* bytes = nullptr;
  uint16_t size = 0;   ///< the room at `bytes`
  uint16_t count = 0;  ///< the bytes that the last read has brought
};

/// The bytes that a job writes to a pipe: a member of the job.
struct pipe_write {
  constexpr pipe_write() = default;
  constexpr pipe_write(const void* from, uint16_t many) : bytes(from), size(many) {}

  const void* bytes = nullptr;
  uint16_t size = 0;   ///< the bytes to write
  uint16_t count = 0;  ///< the bytes of them that are in the pipe, however the write ended
};

namespace detail {

/// A pipe without its bytes, which follow it: one copy of the code per program.
///
/// Shape    `depth` bytes are stored from `head` on. Readers wait only while none is, writers only
///          while the pipe is full; the oldest writer may have written a part.
struct pipe_core {
  /// Reads what is there, up to `r.size`. false: done. true: `w` waits, or, if it is null, nothing
  /// has happened.
  BATON_NOINLINE bool read(waiter* w, pipe_read& r, uint16_t slots) {
    r.count = 0;
    if (!depth && r.size) {
      if (w) wait_shared(w, &waiters, wait_list::receivers, &r);
      return true;
    }
    fetch(r, slots);
    refill(slots);
    if (w) w->end(status::ok);
    return false;
  }

  /// Writes all. false: done. true: `w` waits, or, if it is null, a part was written.
  BATON_NOINLINE bool write(waiter* w, pipe_write& from, uint16_t slots) {
    from.count = 0;
    if (!waiters.is_closed()) {  // no room is left while another writer waits
      do store(from, slots);
      while (depth && feed_reader(slots));
    }
    if (from.count != from.size) {
      if (w) wait_shared(w, &waiters, wait_list::senders, &from);
      return true;
    }
    if (w) w->end(status::ok);
    return false;
  }

 private:
  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(this + 1); }

  /// Stores bytes of a writer while there is room.
  void store(pipe_write& from, uint16_t slots) {
    const uint16_t behind = static_cast<uint16_t>(slots - head);
    uint16_t to = static_cast<uint16_t>(depth < behind ? head + depth : depth - behind);
    while (from.count != from.size && depth != slots) {
      bytes()[to] = static_cast<const uint8_t*>(from.bytes)[from.count++];
      if (++to == slots) to = 0;
      ++depth;
    }
  }

  BATON_NOINLINE void fetch(pipe_read& r, uint16_t slots) {
    while (r.count != r.size && depth) {
      static_cast<uint8_t*>(r.bytes)[r.count++] = bytes()[head];
      if (++head == slots) head = 0;
      --depth;
    }
  }

  /// Gives stored bytes to the oldest reader that waits. false: none does.
  bool feed_reader(uint16_t slots) {
    waiter* w = waiters.take_shared(wait_list::receivers);
    if (!w) return false;
    fetch(*static_cast<pipe_read*>(w->slot), slots);
    wake_shared(w, waiter::delivered);
    return true;
  }

  /// Lets the writers that wait use the room, the oldest first, and each to its end. No writer is
  /// the case of a select.
  void refill(uint16_t slots) {
    while (waiters.kind == wait_list::senders) {
      pipe_write& from = *static_cast<pipe_write*>(static_cast<waiter*>(waiters.tail->next)->slot);
      store(from, slots);
      if (from.count != from.size) return;
      wake_shared(waiters.pop(), static_cast<uint8_t>(status::ok));
    }
  }

 public:
  wait_list waiters;
  uint16_t head = 0;
  uint16_t depth = 0;
};

}  // namespace detail

/// A stream of bytes between the jobs of one domain.
///
/// Shape    `Slots` bytes, inline. 7 bytes on AVR and the bytes.
/// Units    a read brings at least one byte, and as many as are there, up to its size. A write ends
///          when all its bytes are in the pipe. A `size` of 0 never waits.
/// Context  the domain's jobs. Readers and writers are each served in the order of their coming,
///          and a write is a unit: no other writer's bytes come between. The side that finds the
///          other one waiting copies the bytes, puts the other job at the tail of the ready queue
///          and goes on. A read that is cancelled or times out has taken no byte. A write that ends
///          otherwise than with ok has written the first `count` bytes. A reader that is destroyed
///          or restarted after the hand-over and before it ran takes its bytes with it, and
///          `dropped_values()` counts one. The `pipe_read` or `pipe_write` and its bytes must live
///          until the wait ends. A read may be the case of a select, a write may not.
/// Cost     O(bytes). Flash on AVR: suite memory, cases pipe and pipe_two.
/// Errors   `closed` after `close()`: a write writes nothing; a read brings the stored bytes first.
template <uint16_t Slots>
class pipe : domain_affinity {
  static_assert(Slots != 0, "a pipe has room for at least one byte");

 public:
  struct read_operation;
  struct write_operation;

  constexpr pipe() = default;
  pipe(const pipe&) = delete;
  pipe& operator=(const pipe&) = delete;
  ~pipe() {
    if (detail::may_die(this, __PRETTY_FUNCTION__)) close_list(core_.waiters);
  }

  /// For BATON_WAIT and its forms: reads some bytes, waiting while there is none.
  BATON_NODISCARD BATON_INLINE read_operation read(pipe_read& into) { return read_operation(*this, into); }

  /// For BATON_WAIT and its forms: writes all bytes, waiting while there is no room.
  BATON_NODISCARD BATON_INLINE write_operation write(pipe_write& from) { return write_operation(*this, from); }

  /// Reads without waiting. Returns how many bytes were there; 0 also at the end of a closed pipe.
  uint16_t try_read(void* to, uint16_t size) {
    check();
    pipe_read r(to, size);
    core_.read(nullptr, r, Slots);
    return r.count;
  }

  /// Writes without waiting. Returns how many bytes found room.
  uint16_t try_write(const void* from, uint16_t size) {
    check();
    pipe_write w(from, size);
    core_.write(nullptr, w, Slots);
    return w.count;
  }

  /// The end of the stream: ends every wait with `closed`, and every later one, once the stored
  /// bytes are read. Idempotent.
  void close() {
    check();
    close_list(core_.waiters);
  }

  bool is_closed() const { return core_.waiters.is_closed(); }

  /// The bytes that are stored.
  uint16_t depth() const { return core_.depth; }

 private:
  detail::pipe_core core_;
  uint8_t bytes_[Slots] = {};
};

template <uint16_t Slots>
struct BATON_NODISCARD_TYPE pipe<Slots>::read_operation : list_wait {
  BATON_INLINE read_operation(pipe& p, pipe_read& into)
      : list_wait{&p.core_.waiters, wait_list::receivers, &into}, source(&p) {}

  static constexpr bool takes = true;

  static constexpr bool tries_and_suspends = true;
  BATON_INLINE bool try_or_suspend(waiter& w) const { return read(&w); }
  BATON_INLINE bool try_now(waiter& w) const {
    if (read(nullptr)) return false;
    w.end(status::ok);
    return true;
  }

  pipe* source;

 private:
  BATON_INLINE bool read(waiter* w) const {
    source->check();
    return source->core_.read(w, *static_cast<pipe_read*>(slot), Slots);
  }
};

template <uint16_t Slots>
struct BATON_NODISCARD_TYPE pipe<Slots>::write_operation : list_wait {
  BATON_INLINE write_operation(pipe& p, pipe_write& from)
      : list_wait{&p.core_.waiters, wait_list::senders, &from}, target(&p) {}

  /// Bytes that are written cannot be taken back.
  static constexpr bool selectable = false;

  static constexpr bool tries_and_suspends = true;
  BATON_INLINE bool try_or_suspend(waiter& w) const { return write(&w); }
  /// Bytes that found room stay written: the wait that follows goes on from there.
  BATON_INLINE bool try_now(waiter& w) const {
    if (write(nullptr)) return false;
    w.end(status::ok);
    return true;
  }

  pipe* target;

 private:
  BATON_INLINE bool write(waiter* w) const {
    target->check();
    return target->core_.write(w, *static_cast<pipe_write*>(slot), Slots);
  }
};

}  // namespace baton
