// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/coroutine.hpp>
#include <baton/async/language.hpp>
#include <baton/core.hpp>

/// Call chains: C++20 coroutines in core's ready queue.
///
/// A spawned coroutine and the coroutines that it awaits, one inside the other, are a call chain.
/// One of them runs or waits at a time, so a chain needs one job. The job is in the promise of the
/// spawned coroutine, the chain's first. Its `other` is the coroutine that goes on when the job
/// runs. The `back` of every nested promise is the coroutine that awaits it.
///
/// Exactly one job stands for a chain, whatever the chain does:
///   runs      the chain's job, at the head of the ready queue until the chain gives way;
///   yielded   the chain's job, in the ready queue;
///   waits     the awaiter's own waiter, in a primitive's list; once woken, in the ready queue.
///             When that waiter is the head, `take_over` puts the chain's job in its place.
/// So a primitive of core sees a waiter like any other, and a wait costs no job besides it.
///
/// Control goes from coroutine to coroutine without the scheduler: by `transfer` inside a chain, by
/// `next_in_queue` to the next chain. Both count `transfers_left` down. At zero, and when attention
/// is raised, the scheduler has its turn; that bounds how long timers and other threads wait, and
/// how deep the stack is where a compiler makes a call of a transfer.
///
/// Do not change alone:
///   - A running chain's job is the head of the queue: `resume`, `leave_to_wait`, `scope::end_of`.
///   - `call_chain_waiter::before` is null outside a wait: destructors read it to know what to
///     leave.
///   - `scope::destroy_a_ready_one` knows a chain by the bodies `run_call_chain` and
///     `call_chain_waiter::run`; a third body for a chain has to be added there.
namespace baton::BATON_VARIANT::async {

class scope;

namespace detail {

using handle = std::coroutine_handle<>;

/// The base of every promise. It takes 40 bytes on a 64-bit machine.
///
/// Shape    `at` says whether the coroutine is the first of its call chain, the spawned one.
struct promise_base : job {
  /// `failed` is a separate bit: `other` then holds the exception that the coroutine threw.
  enum role : point { nested, first, failed };

  promise_base() noexcept : job(nullptr, nested) {}

  // The analyzer does not know what a coroutine's frame holds.
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
  bool is_first() const noexcept { return (at & first) != 0; }
  promise_base* call_chain() noexcept { return is_first() ? this : static_cast<promise_base*>(other); }
  /// Valid for the first promise of a call chain only.
  scope& parent_scope() noexcept { return *static_cast<scope*>(back); }
  handle own_handle() noexcept { return std::coroutine_handle<promise_base>::from_promise(*this); }

  /// nested: the address of the coroutine that awaits it; first: its scope
  void* back = nullptr;
  /// nested: the first promise of the call chain; first: the address of the coroutine that goes on
  /// when the job runs
  void* other = nullptr;
};

/// The number of coroutines that may transfer to one another before the loop has its turn: in its
/// turn the loop looks at timers and at what other threads have sent. Where the compiler makes no
/// tail call of a transfer, the nested calls return then, so the stack's depth is bounded.
constexpr uint8_t transfers_in_a_row = sizeof(void*) == 2 ? 4 : 64;  // fewer where the stack is part of 2 KiB of memory

BATON_INLINE uint8_t& transfers_left() {
  return domain::variable<struct transfers_name, uint8_t>::get();
}

/// Address of the coroutine that the loop resumes next, set when its turn came in the middle of a
/// call chain.
BATON_INLINE void*& interrupted() {
  return domain::variable<struct interrupted_name, void*>::get();
}

/// Goes from one coroutine to another of the same call chain without the ready queue.
BATON_INLINE handle transfer(handle to) noexcept {
  if (BATON_LIKELY(--transfers_left() != 0)) return to;
  interrupted() = to.address();
  return std::noop_coroutine();
}

/// Resumes a coroutine, and those that it transfers to. If the loop's turn came in the middle of a
/// call chain, that chain is the head of the queue and goes on when the scheduler runs it again.
inline void resume(handle h) {
  transfers_left() = transfers_in_a_row;
  h.resume();
  void* next = interrupted();
  if (BATON_LIKELY(!next)) return;
  interrupted() = nullptr;
  static_cast<promise_base*>(domain::tail()->next)->other = next;
}

/// The body of a call chain's job, for the scheduler.
inline point run_call_chain(job* j, point) {
  resume(handle::from_address(static_cast<promise_base*>(j)->other));
  return suspended;
}

/// Replaces `old`, the head of the ready queue, by `by`. The link of `old` is stale afterwards.
BATON_INLINE void put_at_head(job* old, job* by) {
  job* t = domain::tail();
  if (t == old) {
    by->next = by;
    domain::tail() = by;
  } else {
    by->next = old->next;
    t->next = by;
  }
}

/// Takes the running call chain out of the ready queue, to wait. The chain is always the head: a
/// coroutine is never resumed past the queue. `own` goes on when its wait is over.
BATON_INLINE void leave_to_wait(promise_base* call_chain, handle own) noexcept {
  ready::pop_head(domain::tail(), call_chain);
  call_chain->next = nullptr;
  call_chain->other = own.address();
}

/// A node of the ring of a scope's waits.
struct wait_link {
  wait_link* following;
  wait_link* before;
};

/// One wait of a coroutine. It stands for the coroutine's call chain in a primitive's list and,
/// while the wait may be cancelled, in the ring of the chain's scope.
struct call_chain_waiter : waiter, wait_link {
  using withdraw_function = bool (*)(call_chain_waiter&);

  /// For an awaiter that may suspend; the awaiter calls `begin` if it does.
  explicit call_chain_waiter(promise_base& p) noexcept : call_chain_waiter(unset()) { call_chain = p.call_chain(); }
  /// For an awaiter that may complete without suspending.
  explicit call_chain_waiter(unset u) noexcept : waiter(u) { before = nullptr; }
  /// For an awaiter that always suspends.
  call_chain_waiter(promise_base& p, withdraw_function w) noexcept : call_chain_waiter(p) { begin(w); }
  ~call_chain_waiter() {
    if (BATON_UNLIKELY(is_suspended())) leave_all();
  }

  scope& parent_scope() noexcept { return call_chain->parent_scope(); }

  /// True from the beginning of the wait until the coroutine goes on. A waiter that is destroyed in
  /// between leaves the lists that it is in.
  bool is_suspended() const noexcept { return before != nullptr; }

  /// True while nothing has ended the wait: the waiter is in a list, or waits outside one.
  bool still_waits() const noexcept { return on > delivered; }
  call_chain_waiter(const call_chain_waiter&) = delete;
  call_chain_waiter& operator=(const call_chain_waiter&) = delete;

  /// Begins the wait. The function that ends the wait early is stored here and not earlier, since
  /// most waits are over before they begin.
  BATON_INLINE void begin(withdraw_function w) noexcept {
    next = nullptr;
    body = &run;
    at = 0;
    on = 0;
    slot = nullptr;
    withdraw = w;
  }

  BATON_INLINE void link(wait_link& ring) noexcept {
    wait_link* const first = ring.following;
    following = first;
    first->before = this;
    ring.following = this;
    before = &ring;  // last: a caller asks next whether it waits, and the compiler knows the answer
  }
  void unlink() noexcept {
    if (!before) return;
    leave_ring();
    goes_on();
  }
  BATON_INLINE void leave_ring() noexcept {
    following->before = before;
    before->following = following;
  }

  /// Called by the coroutine, whose wait is over.
  BATON_INLINE void goes_on() noexcept { before = nullptr; }

  BATON_NOINLINE void leave_all() noexcept {
    unlink();
    if (is_listed() || on == in_service) withdraw(*this);
    if (next) ready::remove(this);
  }

  /// Ends the wait. The waiter is the head of the ready queue, and its coroutine goes on.
  BATON_INLINE handle take_over() noexcept {
    leave_ring();
    put_at_head(this, call_chain);
    return handle::from_address(call_chain->other);
  }

  static point run(job* j, point) {
    resume(static_cast<call_chain_waiter*>(static_cast<waiter*>(j))->take_over());
    return suspended;
  }

  promise_base* call_chain;
  withdraw_function withdraw;  // takes it out of what it waits for; false: too late, the wait has ended
};

/// Resumes the coroutine of a waiter that is the head of the queue; its wait has ended.
BATON_INLINE handle go_on_woken(job* head) noexcept {
  trace(transition::run, head);
  return static_cast<call_chain_waiter*>(static_cast<waiter*>(head))->take_over();
}

BATON_NOINLINE inline handle next_that_waited(job* head) noexcept {
  return head->body == &call_chain_waiter::run ? go_on_woken(head) : std::noop_coroutine();
}

/// Returns the coroutine that goes on after the running call chain waits, has yielded or has ended.
/// It returns to the scheduler if that is a stackless coroutine, or if there is anything else to
/// do.
///
/// Shape    a coroutine that yielded is mostly followed by another that yielded, and one that waits
///          by one whose wait has ended. `Likely` names the case that is tried first.
enum class likely_next : uint8_t { call_chain, woken };

template <likely_next Likely = likely_next::call_chain>
BATON_INLINE handle next_in_queue() noexcept {
  if (BATON_UNLIKELY(port::attention::raised() || --transfers_left() == 0)) return std::noop_coroutine();
  job* head = domain::tail()->next;  // there is one: emptying the queue raises attention
  if (Likely == likely_next::woken && BATON_LIKELY(head->body == &call_chain_waiter::run)) return go_on_woken(head);
  if (BATON_LIKELY(head->body == &run_call_chain)) {
    trace(transition::run, head);
    return handle::from_address(static_cast<promise_base*>(head)->other);
  }
  return Likely == likely_next::woken ? std::noop_coroutine() : next_that_waited(head);
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
