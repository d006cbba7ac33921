// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/coroutine.hpp>
#include <baton/async/language.hpp>
#include <baton/async/wait_site.hpp>
#include <baton/core.hpp>

/// Call chains: C++20 coroutines in core's ready queue.
///
/// A spawned coroutine and the coroutines that it awaits, one inside the other, are a call chain.
/// One of them runs or waits at a time, so a chain needs one job and one record of a wait. Both are
/// its `call_chain`, a core `waiter` in the promise of the spawned coroutine, the chain's first.
/// Its `other` is the coroutine that goes on when the job runs. The `back` of every nested promise
/// is the coroutine that awaits it.
///
/// The job of a chain is in one place at a time:
///   runs      the head of the ready queue, until the chain gives way;
///   ready     in the ready queue: spawned, yielded, or woken;
///   waits     in a primitive's list, or outside of all lists; `on` has the state of the wait.
/// A chain is a member of its scope from its spawning to its end, whatever it does meanwhile.
///
/// Control goes from coroutine to coroutine without the scheduler: by `transfer` inside a chain, by
/// `next_in_queue` to the next chain. Both count `transfers_left` down, and so does a wait that is
/// over before it began. At zero, and when attention is raised, the scheduler has its turn; that
/// bounds how long timers and other threads wait, and how deep the stack is where a compiler makes
/// a call of a transfer.
///
/// Invariants that must not be changed alone:
///   - A running chain's job is the head of the queue: `resume`, `leave_to_wait`, `scope::end_of`.
///   - `on` is above `delivered` exactly while the chain waits. `scope::stop` and deadlines ask
///     nothing else. `withdraw` is null while the chain runs.
///   - `on` is ok while the chain runs: `take_result`.
///   - `on` is `delivered` only from the hand-over of a value until the coroutine goes on:
///     `leave_wait` gives such a value back, or counts it as dropped.
///   - `at` counts the waits that a stop has ended in a row; core's marks of waiters are higher.
///   - Frames of a chain are destroyed from the innermost, by `destroy_frames`, which takes each
///     nested frame from the awaiter that owns it.
namespace baton::BATON_VARIANT::async {

class scope;

namespace detail {

using handle = std::coroutine_handle<>;

struct call_chain;

/// The base of every promise.
struct promise_base {
  handle own_handle() noexcept { return std::coroutine_handle<promise_base>::from_promise(*this); }
  static promise_base& of(void* coroutine) noexcept {
    return std::coroutine_handle<promise_base>::from_address(coroutine).promise();
  }

  promise_base() noexcept {}  // NOLINT(modernize-use-equals-default): what begins the coroutine sets the members

  /// nested: the address of the coroutine that awaits it; first: its scope
  void* back;
  call_chain* chain;
  /// nested: the handle by which its awaiter owns it; first: the address of the coroutine that goes
  /// on when the job runs; after an exception: the exception
  void* other;
  [[no_unique_address]] wait_site site;
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

/// A node of the ring of a scope's call chains.
struct scope_link {
  void link_before(scope_link& ring) noexcept {
    before = ring.before;
    before->following = this;
    following = &ring;
    ring.before = this;
  }
  void unlink() noexcept {
    following->before = before;
    before->following = following;
  }

  scope_link* following;
  scope_link* before;
};

/// The job of a call chain, and the record of its wait. 88 bytes on a 64-bit machine.
struct call_chain : promise_base, waiter, scope_link {
  using withdraw_function = bool (*)(call_chain&);

  static constexpr bool leaves_before_its_values = true;

  /// The waits that a stop ends in a row before the chain is destroyed.
  static constexpr point most_cancelled_waits = 64;

  call_chain() noexcept : waiter(unset()) { at = 0; }

  scope& parent_scope() noexcept { return *static_cast<scope*>(back); }

  /// True if it is a member of a scope in place of a chain that is on another loop.
  bool is_stand_in() const noexcept { return chain != this; }

  /// True while nothing has ended the wait: the chain is in a list, or waits outside one.
  bool still_waits() const noexcept { return on > delivered; }

  /// Prepares the first coroutine, which has not begun.
  void begin(scope& parent, void* coroutine) noexcept;

  /// Takes the running chain out of the ready queue, to wait. It is always the head: a coroutine is
  /// never resumed past the queue. `own` goes on when the wait is over.
  BATON_INLINE void leave_to_wait(handle own) noexcept {
    ready::pop_head(domain::tail(), this);
    next = nullptr;
    other = own.address();
  }

  /// Ends the wait early, with `how`, unless it has ended or goes on until its operation ends.
  void end_wait(status how) noexcept {
    if (still_waits() && leave_what_it_waits_for()) wake(this, static_cast<uint8_t>(how));
  }
  bool leave_what_it_waits_for() noexcept { return withdraw ? withdraw(*this) : list_wait::withdraw(*this); }

  /// Ends a wait of a stopped coroutine before it begins. true: the chain has had as many of them
  /// in a row as it may have.
  BATON_NOINLINE bool refuse_wait() noexcept {
    end(status::cancelled);
    if (at < most_cancelled_waits) ++at;
    return at == most_cancelled_waits;
  }

  /// For an operation that is done without a wait: `on` is ok while the chain runs.
  BATON_INLINE void end_at_once() noexcept {}

  /// The result of the wait, for the coroutine that goes on. `Special`: the wait had a `withdraw`.
  template <bool Special = true>
  BATON_INLINE status take_result() noexcept {
    const status how = result();
    end(status::ok);
    if (Special) withdraw = nullptr;
    return how;
  }

  /// Takes the chain out of what it waits for; false: the wait goes on, or has ended. Null for a
  /// wait in a list whose operation has nothing to give back.
  withdraw_function withdraw;
};

/// The chain of a job. By reference, because a cast of a pointer would ask whether it is null.
BATON_INLINE call_chain& chain_of(job* j) noexcept {
  return static_cast<call_chain&>(*j);
}

/// Resumes a coroutine, and those that it transfers to. If the loop's turn came in the middle of a
/// call chain, that chain is the head of the queue and goes on when the scheduler runs it again.
inline void resume(handle h) {
  transfers_left() = transfers_in_a_row;
  h.resume();
  void* next = interrupted();
  if (BATON_LIKELY(!next)) return;
  interrupted() = nullptr;
  chain_of(domain::tail()->next).other = next;
}

/// The body of a call chain's job, for the scheduler.
inline point run_call_chain(job* j, point) {
  resume(handle::from_address(chain_of(j).other));
  return suspended;
}

inline void call_chain::begin(scope& parent, void* coroutine) noexcept {
  back = &parent;
  chain = this;
  other = coroutine;
  body = &run_call_chain;
  on = 0;
  withdraw = nullptr;
}

/// The chain of the running coroutine.
BATON_INLINE call_chain& running_chain() noexcept {
  return chain_of(domain::tail()->next);
}

/// Returns the coroutine that goes on after the running call chain waits, has yielded or has ended.
/// It returns to the scheduler if that is a stackless coroutine, or if there is anything else to
/// do.
BATON_INLINE handle next_in_queue() noexcept {
  if (BATON_UNLIKELY(port::attention::raised() || --transfers_left() == 0)) return std::noop_coroutine();
  job* head = domain::tail()->next;  // there is one: emptying the queue raises attention
  if (BATON_UNLIKELY(head->body != &run_call_chain)) return std::noop_coroutine();
  trace(transition::run, head);
  return handle::from_address(chain_of(head).other);
}

/// Puts the running call chain at the tail of the queue. `own` goes on when its turn comes.
BATON_INLINE void yield_to_queue(call_chain& c, handle own) noexcept {
  c.other = own.address();
  domain::tail() = &c;
}

/// Takes a chain that is destroyed out of its wait, or counts a value that was handed to it and
/// that no coroutine will read. Waits outside of lists are left by the destructors of their
/// awaiters, and so are those whose value can be given back.
inline void leave_wait(call_chain& c) noexcept {
  if (c.is_listed() || c.on == waiter::in_service) {
    c.leave_what_it_waits_for();
    c.end(status::cancelled);
  } else if (c.on == waiter::delivered && !c.withdraw) {
    baton::spi::count_dropped_value();
  }
}

/// Destroys the frames of a call chain, from the innermost to the first, so that the depth of the
/// chain is not the depth of the stack.
/// Context  the chain does not run, and has been taken out of its scope.
inline void destroy_frames(call_chain& c) noexcept {
  leave_wait(c);
  if (c.next) ready::remove(&c);
  void* const first = c.own_handle().address();
  for (void* coroutine = c.other; coroutine != first;) {
    promise_base& p = promise_base::of(coroutine);
    void* const awaiting = p.back;
    *static_cast<handle*>(p.other) = handle();
    handle::from_address(coroutine).destroy();
    coroutine = awaiting;
  }
  c.own_handle().destroy();
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
