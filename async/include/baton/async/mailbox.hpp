// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/frames.hpp>
#include <baton/async/language.hpp>
#include <baton/async/mpsc_list.hpp>
#include <baton/async/poller.hpp>

/// The mailbox: how other threads reach a loop.
///
/// Any number of threads post, and one loop receives. A message is a `message_node`: a link, a
/// function and its argument, a member of the object that it is about. So `post` takes no memory
/// and finds no mailbox full; the bound is the number of nodes.
///
/// A sender pushes to a lock-free list (mpsc_list.hpp) by one compare-and-swap. Once a turn the
/// loop takes the whole list by one exchange, and calls `arrive` of every node, each sender's in
/// the order of its posts, between two coroutines.
///
/// No wake-up is lost:
///   loop      spin_before_sleep, prepare_to_sleep, sleeper::wait, finish_sleep;
///   sender    push, and `notify` if the push replaced the mark `sleeping`.
/// `prepare_to_sleep` replaces an empty list by that mark, and fails when something has come.
/// Exactly one sender replaces the mark, and wakes the sleeper; the next ones find a node there and
/// go on. A wake that comes before the wait makes the wait return at once.
///
/// `close` puts the mark `closed`: a push is refused from then on, and the node stays its sender's.
/// Then it waits for a sender that has replaced `sleeping` and is still waking the sleeper, which
/// ends with the loop. The mailbox itself is counted, and lives as long as the loop or a
/// `loop_handle`.
///
/// Do not change alone:
///   - `notified` is the last thing that a sender does: it touches nothing of the loop afterwards.
///   - A node is the loop's from `push` until `arrive`; its sender does not even read it meanwhile.
///   - The swap to `sleeping` and the senders' swaps are of one word: no flag stands beside the
///     list.
namespace baton::BATON_VARIANT::async {

namespace detail {

/// Spins for a moment before the caller sleeps, on a port where other threads run meanwhile. true:
/// `has_come()`.
template <typename Port, typename HasCome>
auto spin_before_sleep_in(HasCome has_come, int) -> decltype(Port::pause(), bool()) {
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
bool spin_before_sleep_in(HasCome, long) {
  return false;
}

}  // namespace detail

/// A message to another loop, which calls `arrive`.
///
/// Shape    a link, a function and its argument; a member of the object that the message is about.
///          It belongs to the receiving loop from `post` until `arrive`.
struct message_node {
  using function = void (*)(void*);

  constexpr message_node(function f, void* o) : arrive(f), owner(o) {}

  message_node* next = nullptr;
  function arrive;  // called by the loop between coroutines; it may make coroutines ready, and resumes none
  void* owner;
};

/// The queue by which other threads send to a loop: many senders, one receiver.
///
/// Shape    a list of nodes that belong to their senders: its length is bounded by the number of
///          nodes, and it takes no memory of its own. The mailbox is on the heap, and lives as long
///          as the loop or a `loop_handle` of it.
/// Context  any thread may call `post`; messages arrive first in, first out per sender. A posted
///          message arrives within one turn of the loop, however much is ready there. A loop that
///          sleeps is woken. Only the loop calls the other functions.
/// Errors   the mailbox of a loop that has ended refuses messages; every message that it did not
///          refuse has arrived.
class mailbox {
 public:
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;

  /// Sends `p` to the loop. false: the loop has ended, and `p` stays the caller's.
  bool post(message_node& p) noexcept {
    const detail::pushed became = push(p);
    if (became == detail::pushed::to_sleeping) notify();
    return became != detail::pushed::refused;
  }

  /// `post` in two steps, for a caller that holds a lock: a sleeping loop sees the pushed message
  /// when it is notified.
  detail::pushed push(message_node& p) noexcept { return list_.push(&p); }
  void notify() noexcept {
    sleeper_->wake();
    list_.notified();
  }

  /// Sets the sleeper of the loop that begins to receive. Messages that were posted before are in
  /// the list.
  void begin(detail::sleeper& s) noexcept { sleeper_ = &s; }

  /// Calls `arrive` of each message that has come.
  BATON_INLINE void deliver() {
    if (BATON_UNLIKELY(list_.has_any())) {
      has_delivered_ = true;
      deliver_all(list_.take_all());
    }
  }

  /// Spins for a moment when the loop has nothing to do, if something has come since it spun last:
  /// more may follow, and spinning is cheaper than to sleep and to be woken. true: something has
  /// come.
  BATON_NOINLINE bool spin_before_sleep() noexcept {
    if (!has_delivered_) return false;
    has_delivered_ = false;
    return detail::spin_before_sleep_in<port>([this] { return list_.has_any(); }, 0);
  }

  /// Tells that a job of the loop has spun for a moment in place of the loop.
  void has_looked() noexcept { has_delivered_ = false; }

  /// Announces that the loop is going to sleep. false: something has come.
  bool prepare_to_sleep() noexcept { return list_.prepare_to_sleep(); }
  void finish_sleep() noexcept { list_.finish_sleep(); }

  /// Counts a message that another thread will post; `give_way` lets that thread run meanwhile.
  /// Context  the loop's thread. For a loop in virtual time: what other threads do takes no virtual
  ///          time.
  void expect(void (*give_way)() noexcept) noexcept {
    ++expected_;
    give_way_ = give_way;
  }
  void has_come() noexcept {
    --expected_;
    times_given_way_ = 0;
  }
  /// Gives way, if a message is expected. false: none is, or none has come `most` times, so that
  /// the message may itself wait for a later time.
  bool gives_way(uint32_t most) noexcept {
    if (expected_ == 0 || times_given_way_ >= most) return false;
    ++times_given_way_;
    give_way_();
    return true;
  }

  /// Refuses messages that are posted from then on; delivers those that were posted before.
  void close() { deliver_all(list_.close()); }

  /// Makes a mailbox with one reference. BATON_REQUIRE no_memory_for_mailbox: there is no memory.
  static mailbox* make() {
    void* memory = detail::from_source(sizeof(mailbox));
    BATON_REQUIRE(no_memory_for_mailbox, memory);
    return ::new (memory, detail::in_place()) mailbox();
  }
  /// The same; null: there is no memory.
  static mailbox* try_make() {
    void* memory = detail::from_source(sizeof(mailbox));
    return memory ? ::new (memory, detail::in_place()) mailbox() : nullptr;
  }
  void keep() noexcept { __atomic_add_fetch(&references_, 1, __ATOMIC_RELAXED); }
  void forget() noexcept {
    if (__atomic_sub_fetch(&references_, 1, __ATOMIC_ACQ_REL) != 0) return;
    this->~mailbox();
    detail::to_source(this);
  }

 private:
  mailbox() = default;
  ~mailbox() = default;

  BATON_NOINLINE static void deliver_all(message_node* first) {
    while (first) {
      message_node* p = first;
      first = p->next;
      p->next = nullptr;
      p->arrive(p->owner);
    }
  }

  detail::mpsc_list<message_node> list_;
  detail::sleeper* sleeper_ = nullptr;  // no sender notifies before the loop has prepared to sleep
  void (*give_way_)() noexcept = nullptr;
  uint32_t expected_ = 0;
  uint32_t times_given_way_ = 0;
  uint32_t references_ = 1;
  bool has_delivered_ = false;  // since it spun last
};

/// Names a loop, which may have ended; it may be kept and copied without limit.
///
/// Shape    a pointer to a counted mailbox.
/// Context  any thread; one thread at a time for each copy.
class loop_handle {
 public:
  /// Makes the handle of a loop that will be made with it.
  static loop_handle make() {
    async::mailbox* made = async::mailbox::make();
    const loop_handle a(*made);
    made->forget();
    return a;
  }
  explicit loop_handle(async::mailbox& of) noexcept : mailbox_(&of) { mailbox_->keep(); }
  loop_handle(const loop_handle& other) noexcept : loop_handle(*other.mailbox_) {}
  loop_handle& operator=(const loop_handle& other) noexcept {
    if (&other == this) return *this;
    other.mailbox_->keep();
    mailbox_->forget();
    mailbox_ = other.mailbox_;
    return *this;
  }
  ~loop_handle() { mailbox_->forget(); }

  async::mailbox& mailbox() const noexcept { return *mailbox_; }
  bool operator==(const loop_handle& other) const noexcept { return mailbox_ == other.mailbox_; }

 private:
  async::mailbox* mailbox_;
};

namespace detail {

/// The mailbox of the loop that runs in this domain; null where there is none.
BATON_INLINE mailbox*& own_mailbox() {
  return domain::variable<struct own_mailbox_name, mailbox*>::get();
}

/// Ends a wait before it begins. A job that was resumed directly goes on by the ready queue.
inline void end_at_once(waiter& w, status how) {
  w.end(how);
  if (!w.next && w.at != select_case_mark) ready::push(&w);
}

/// A function that is called once, when the loop's turn ends.
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
}  // namespace baton::BATON_VARIANT::async
