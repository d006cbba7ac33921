// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/frames.hpp>
#include <baton/async/language.hpp>
#include <baton/async/mpsc_list.hpp>
#include <baton/async/poller.hpp>

namespace baton {
namespace async {

namespace detail {

/// Looks for a moment, before its caller sleeps, on a port where other threads run meanwhile. true: `has_come()`.
template <typename Port, typename HasCome>
auto looks_out_in(HasCome has_come, int) -> decltype(Port::pause(), bool()) {
  const tick most = Port::worth_looking();
  if (most == 0) return false;
  const tick begun = Port::now();
  do {
    for (uint8_t looks = 8; looks != 0; --looks) {
      if (has_come()) return true;
      Port::pause();
    }
  } while (Port::now() - begun < most);
  return false;
}
template <typename Port, typename HasCome>
bool looks_out_in(HasCome, long) {
  return false;
}

}  // namespace detail

/// What is sent to another loop: it is told there when it has arrived.
///
/// Shape    a link, a function and what that is for; a member of what it is about. It is its loop's from `post` until `arrive`.
struct parcel {
  using function = void (*)(void*);

  constexpr parcel(function f, void* o) : arrive(f), owner(o) {}

  parcel* next = nullptr;
  function arrive;  // by the loop, between coroutines; it makes ready, and resumes none
  void* owner;
};

/// A loop's way in from other threads.
///
/// Shape    a list of parcels, which are their senders': so it is as long as there are parcels, and takes no memory of its own. It is the heap's, and lives as
///          long as the loop or an `address` of it.
/// Context  `post` any thread; first in, first out for each. What was posted arrives within one turn of the loop, however much is ready there. A
///          loop that sleeps is woken. Everything else is the loop's.
/// Errors   a loop that has ended refuses, and what it did not refuse has arrived.
class inbox {
 public:
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;

  /// Sends `p` there. false: the loop has ended, and `p` is the caller's.
  bool post(parcel& p) noexcept {
    const detail::pushed became = push(p);
    if (became == detail::pushed::to_resting) ring();
    return became != detail::pushed::refused;
  }

  /// The same in two steps, for who holds a lock: what was pushed to one that rests is seen when it has been rung.
  detail::pushed push(parcel& p) noexcept { return list_.push(&p); }
  void ring() noexcept {
    sleeper_->wake();
    list_.rung();
  }

  /// The loop that it is for. What was posted before is there.
  void begin(detail::sleeper& s) noexcept { sleeper_ = &s; }

  /// Tells what has come.
  BATON_INLINE void deliver() {
    if (BATON_UNLIKELY(list_.has_any())) was_told_ = true, tell(list_.take_all());
  }

  /// The loop has nothing to do. Where something has come since it looked out last, more may follow: it looks for a moment, which is cheaper than to sleep
  /// and to be woken. true: something has come.
  BATON_NOINLINE bool looks_out() noexcept {
    if (!was_told_) return false;
    was_told_ = false;
    return detail::looks_out_in<port>([this] { return list_.has_any(); }, 0);
  }

  /// The loop is going to sleep. false: something has come.
  bool rest() noexcept { return list_.rest(); }
  void stir() noexcept { list_.stir(); }

  /// Refuses what is posted from now on; tells what was before.
  void close() { tell(list_.close()); }

  /// A new one, known once. BATON_REQUIRE no_memory_for_mailbox: no memory.
  static inbox* make() {
    void* memory = detail::from_source(sizeof(inbox));
    BATON_REQUIRE(no_memory_for_mailbox, memory);
    return ::new (memory, detail::in_place()) inbox();
  }
  void keep() noexcept { __atomic_add_fetch(&known_by_, 1, __ATOMIC_RELAXED); }
  void forget() noexcept {
    if (__atomic_sub_fetch(&known_by_, 1, __ATOMIC_ACQ_REL) != 0) return;
    this->~inbox();
    detail::to_source(this);
  }

 private:
  inbox() = default;
  ~inbox() = default;

  BATON_NOINLINE static void tell(parcel* first) {
    while (first) {
      parcel* p = first;
      first = p->next;
      p->next = nullptr;
      p->arrive(p->owner);
    }
  }

  detail::mpsc_list<parcel> list_;
  detail::sleeper* sleeper_ = nullptr;  // nobody rings before the loop has rested
  uint32_t known_by_ = 1;
  bool was_told_ = false;  // since it looked out last
};

/// Of a loop that may have ended: it can be kept, and copied, as long as one likes.
///
/// Shape    a pointer, with a count behind it.
/// Context  any thread; each copy one at a time.
class address {
 public:
  /// Of a loop that is still to be made, with this.
  static address make() {
    inbox* made = inbox::make();
    const address a(*made);
    made->forget();
    return a;
  }
  explicit address(inbox& of) noexcept : of_(&of) { of_->keep(); }
  address(const address& other) noexcept : address(*other.of_) {}
  address& operator=(const address& other) noexcept {
    if (&other == this) return *this;
    other.of_->keep();
    of_->forget();
    of_ = other.of_;
    return *this;
  }
  ~address() { of_->forget(); }

  inbox& mail() const noexcept { return *of_; }
  bool operator==(const address& other) const noexcept { return of_ == other.of_; }

 private:
  inbox* of_;
};

namespace detail {

/// The inbox of the loop that runs in this domain; null where there is none.
BATON_INLINE inbox*& own_inbox() {
  return domain::variable<struct own_inbox_name, inbox*>::get();
}

/// A wait that has ended before it began. A job that was resumed directly goes on by the ready queue.
inline void end_at_once(waiter& w, status how) {
  w.end(how);
  if (!w.next && w.at != select_case_mark) ready::push(&w);
}

/// What is done once, when the loop's turn ends.
struct at_turns_end {
  using function = void (*)(at_turns_end*);

  constexpr explicit at_turns_end(function f) : act(f) {}
  at_turns_end(const at_turns_end&) = delete;
  at_turns_end& operator=(const at_turns_end&) = delete;
  ~at_turns_end() { unlink(); }

  static BATON_INLINE at_turns_end*& first() {
    return domain::variable<struct first_at_turns_end_name, at_turns_end*>::get();
  }

  void link() noexcept {
    if (link_) return;
    next = first();
    if (next) next->link_ = &next;
    first() = this;
    link_ = &first();
  }
  void unlink() noexcept {
    if (!link_) return;
    *link_ = next;
    if (next) next->link_ = link_;
    link_ = nullptr;
  }

  static BATON_INLINE void act_all() {
    while (BATON_UNLIKELY(first() != nullptr)) {
      at_turns_end* a = first();
      a->unlink();
      a->act(a);
    }
  }

  function act;
  at_turns_end* next = nullptr;

 private:
  at_turns_end** link_ = nullptr;
};

}  // namespace detail
}  // namespace async
}  // namespace baton
