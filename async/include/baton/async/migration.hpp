// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/mailbox.hpp>
#include <baton/async/record_list.hpp>
#include <baton/async/task.hpp>

/// Migration: a call chain that runs on another loop than its scope's.
///
///   begin_migration        origin       the chain leaves; the record goes into `departed`
///   arrive_at_destination  destination  the record goes into `arrived`; the chain is ready
///   move_on                destination  the chain returns, perhaps to go on to a third loop
///   start_return           destination  the chain is suspended or has ended, and is sent back
///   arrive_at_origin       origin       `return_to_origin`, or on to `next_destination`
///
/// The scope at the origin counts the chain all the time. While the chain is away, the record's
/// `destination_scope` is the chain's scope: it knows the chain's waits, and stops them. A stop at
/// the origin finds `stop_waiter` among its chains and posts `stop_request`. When that arrives the
/// chain may have left again: `current_mailbox` says so.
///
/// No two threads own a field at once. The origin's fields are `stop_waiter`, `at_origin`,
/// `origin_scope`, `destination` and `is_stop_requested`; the destination's are
/// `destination_scope`, `end_waiter` and `at_destination`. Everything else belongs to the loop that
/// has the message node `transfer`, by which the record crosses.
///
/// Ends: the chain ends at the destination (`report_end`); the destination's loop ends
/// (`destroy_arrived`); the origin's scope destroys the chain (`origin_scope` is null); or the
/// origin's loop has ended (`destroy_orphan`). `references`: origin, chain, stop on its way.
namespace baton::BATON_VARIANT::async {
namespace detail {

/// The scope of the loop that runs in this domain; null where there is none.
BATON_INLINE scope*& own_scope() {
  return domain::variable<struct own_scope_name, scope*>::get();
}

/// The record of a call chain that is away from its origin. Its memory is from the pool of frames.
struct migration {
  /// A waiter that knows the migration that it belongs to.
  struct marker : call_chain {
    marker(migration& m, withdraw_function w) noexcept : owner(&m) {
      next = nullptr;
      on = 0;
      withdraw = w;
    }
    migration* owner;
  };

  using list = record_list<migration>;
  using place = record_place<migration>;
  static place migration::*place_in(list& l) noexcept {
    return &l == &arrived() ? &migration::at_destination : &migration::at_origin;
  }

  /// The migrations to this domain, and those from this domain.
  static list& arrived() { return domain::variable<struct arrived_name, list>::get(); }
  static list& departed() { return domain::variable<struct departed_name, list>::get(); }

  /// The migration of a call chain that is away from its origin; null if it is at its origin.
  static migration* of(call_chain& c) noexcept {
    waiter* told = c.parent_scope().joining_;
    return told && told->body == &report_end ? static_cast<marker*>(told)->owner : nullptr;
  }

  /// Sends the running call chain from its origin to `to`. If it stays, `outcome` has the reason.
  static void begin_migration(call_chain& c, mailbox& to, status& outcome) noexcept {
    void* memory = allocate_frame(sizeof(migration));
    if (!memory) {
      outcome = status::full;
      return ready::push(&c);
    }
    migration* m = ::new (memory, in_place()) migration(c, *own_mailbox(), to, outcome);
    c.unlink();
    c.back = &m->destination_scope;
    c.link_before(m->destination_scope.members_);
    m->destination_scope.running_ = 1;
    m->stop_waiter.on = waiter::sleeping;
    m->stop_waiter.link_before(m->origin_scope->members_);
    m->at_origin.link(departed(), *m);
    if (to.post(m->transfer)) return;
    outcome = status::closed;
    m->return_to_origin();
  }

  bool is_origin(const mailbox& i) const noexcept { return &origin_loop.mailbox() == &i; }

  /// Sends the running call chain from its destination to its origin, and on to `to` if not null.
  void move_on(mailbox* to, status& o) noexcept {
    next_destination = to;
    if (next_destination) next_destination->keep();
    outcome = &o;
    start_return();
  }

  /// Destroys the call chains at a destination whose loop ends.
  static void destroy_arrived() noexcept {
    while (migration* m = arrived().first) {
      if (m->end_waiter.next) ready::remove(&m->end_waiter);
      m->destination_scope.joining_ = nullptr;
      m->destination_scope.destroy_all();
      m->has_ended = true;
      m->start_return();
    }
  }

  /// Stops the call chains that are at this destination.
  static void stop_arrived() noexcept {
    for (migration* m = arrived().first; m; m = m->at_destination.next) m->destination_scope.stop();
  }

  /// Destroys the call chains that have not ended at the limit of a stop; their origins are told.
  static void destroy_remaining() noexcept {
    for (migration* m = arrived().first; m; m = m->at_destination.next) m->destination_scope.destroy_remaining();
  }

  /// Forgets the migrations of an origin whose loop has ended: a chain that returns is refused.
  static void forget_departed() noexcept {
    while (migration* m = departed().first) {
      m->at_origin.unlink();
      if (m->leave_origin()) m->origin_scope->left();
      m->forget(1);
    }
  }

  migration(call_chain& s, mailbox& from, mailbox& to, status& o) noexcept
      : chain(&s),
        origin_scope(&s.parent_scope()),
        origin_loop(from),
        destination(to),
        outcome(&o),
        transfer(&arrive_at_destination, this),
        stop_request(&arrive_to_stop, this),
        stop_waiter(*this, &request_stop),
        end_waiter(*this, &never) {
    end_waiter.body = &report_end;
  }
  ~migration() {
    destination_scope.ignore_failure();  // the origin has it, or had one before
    if (next_destination) next_destination->forget();
  }

  static bool never(call_chain&) { return false; }

  /// Takes the stand-in out of the scope at the origin. false: it is in none.
  bool leave_origin() noexcept {
    if (!stop_waiter.still_waits()) return false;
    stop_waiter.end(status::ok);
    stop_waiter.unlink();
    return true;
  }

  void forget(uint32_t times) noexcept {
    if (__atomic_sub_fetch(&references, times, __ATOMIC_ACQ_REL) != 0) return;
    this->~migration();
    free_frame(this, sizeof(migration));
  }

  // ---- at the destination ----

  static void arrive_at_destination(void* p) {
    migration& m = *static_cast<migration*>(p);
    m.at_destination.link(arrived(), m);
    m.destination_scope.joining_ = &m.end_waiter;
    __atomic_store_n(&m.current_mailbox, own_mailbox(), __ATOMIC_RELAXED);
    if (own_scope() && own_scope()->is_stopping()) m.destination_scope.stop();
    ready::push(m.chain);
  }

  /// Stops the chain. A chain that left before the stop arrived was told to stop at its origin.
  static void arrive_to_stop(void* p) {
    migration& m = *static_cast<migration*>(p);
    if (__atomic_load_n(&m.current_mailbox, __ATOMIC_RELAXED) == own_mailbox()) m.destination_scope.stop();
    m.forget(1);
  }

  void start_return() noexcept {
    at_destination.unlink();
    __atomic_store_n(&current_mailbox, static_cast<mailbox*>(nullptr), __ATOMIC_RELAXED);
    destination_scope.joining_ = nullptr;
    transfer.arrive = &arrive_at_origin;
    if (origin_loop.mailbox().post(transfer)) return;
    if (has_ended) return forget(1);
    // The origin's loop has ended. A job destroys the call chain, which has just been suspended.
    at_destination.link(arrived(), *this);
    end_waiter.body = &destroy_orphan;
    ready::push(&end_waiter);
  }

  static migration& of_end(job* j) {
    ready::leave(j);
    j->next = nullptr;
    return *static_cast<marker*>(static_cast<call_chain*>(j))->owner;
  }

  /// Runs when the call chain has ended: its destination scope wakes this waiter.
  static point report_end(job* j, point) {
    migration& m = of_end(j);
    m.has_ended = true;
    m.start_return();
    return suspended;
  }

  static point destroy_orphan(job* j, point) {
    migration& m = of_end(j);
    m.destination_scope.destroy_all();
    m.at_destination.unlink();
    m.forget(1);
    return suspended;
  }

  // ---- at its origin ----

  /// Asks the destination to stop the chain, because its scope stops, or because its scope destroys
  /// its coroutines and does not count the chain any more.
  static bool request_stop(call_chain& c) {
    migration& m = *static_cast<marker&>(c).owner;
    if (!c.still_waits()) m.origin_scope = nullptr;
    if (m.is_stop_requested) return false;
    m.is_stop_requested = true;
    __atomic_add_fetch(&m.references, 1, __ATOMIC_RELAXED);
    if (!m.destination.mailbox().post(m.stop_request)) m.forget(1);  // its loop has ended, and sends it back
    return false;
  }

  static void arrive_at_origin(void* p) {
    migration& m = *static_cast<migration*>(p);
    if (m.next_destination && !m.has_ended && m.origin_scope && m.continue_to_next()) return;
    m.return_to_origin();
  }

  /// Sends the chain on to its next destination. false: it stays at its origin.
  bool continue_to_next() noexcept {
    destination = loop_handle(*next_destination);
    detail::exchange<mailbox*>(next_destination, nullptr)->forget();
    transfer.arrive = &arrive_at_destination;
    if (is_stop_requested || !destination.mailbox().post(transfer)) {
      *outcome = is_stop_requested ? status::cancelled : status::closed;
      return false;
    }
    return true;
  }

  void return_to_origin() noexcept {
    leave_origin();
    at_origin.unlink();
    if (!has_ended && !origin_scope) {
      destination_scope.destroy_all();
    } else if (!has_ended) {
      destination_scope.running_ = 0;
      chain->unlink();
      chain->back = origin_scope;
      chain->link_before(origin_scope->members_);
      ready::push(chain);
    } else if (origin_scope) {
      if (destination_scope.failure_) {
        if (!origin_scope->failure_) origin_scope->failure_ = detail::move(destination_scope.failure_);
        origin_scope->stop();
      }
      origin_scope->left();
    }
    forget(2);
  }

  scope destination_scope;  // the destination's, from its arrival until it leaves
  call_chain* chain;        // goes with `transfer`
  scope* origin_scope;      // the origin's; null: its scope has destroyed it
  const loop_handle origin_loop;
  loop_handle destination;  // the origin's: the loop that the chain was sent to
  mailbox* next_destination = nullptr;
  status* outcome;  // in the call chain's frame
  message_node transfer;
  message_node stop_request;
  marker stop_waiter;  // the origin's, in its scope in place of the chain
  marker end_waiter;   // the destination's: woken when the call chain has ended
  place at_origin;
  place at_destination;
  mailbox* current_mailbox = nullptr;  // the destination's, while the chain is there; no other loop finds its own here
  bool has_ended = false;
  bool is_stop_requested = false;
  uint32_t references = 2;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
