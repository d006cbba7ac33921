// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/inbox.hpp>
#include <baton/async/task.hpp>

/// How a strand is on another loop than its scope's.
namespace baton {
namespace async {
namespace detail {

/// The scope of the loop that runs in this domain; null where there is none.
BATON_INLINE scope*& own_scope() {
  return domain::variable<struct own_scope_name, scope*>::get();
}

/// A strand on another loop. Its scope, at home, still counts it; while it is away it has this one's scope.
///
/// Shape    in the pool of frames, with a count of who knows it: home, the strand, a stop on its way. The last frees it.
/// Context  what is home's and what is the host's is said; what goes with a parcel is whoever's the parcel is. So no two threads touch the same
///          thing at once, and what one of them wrote the other sees when the parcel has arrived.
struct visit {
  /// A waiter that knows its visit.
  struct marker : strand_waiter {
    marker(visit& v, withdraw_function w) noexcept : strand_waiter(*v.strand, w), owner(&v) { strand = nullptr; }
    visit* owner;
  };

  /// Visits of one domain.
  struct list {
    visit* first;
    uint32_t size;
  };
  struct place {
    void link(list& l, visit& v) noexcept {
      of = &l;
      next = l.first;
      if (next) (next->*member_of(l)).by = &next;
      l.first = &v;
      by = &l.first;
      ++l.size;
    }
    void unlink() noexcept {
      if (!by) return;
      *by = next;
      if (next) (next->*member_of(*of)).by = by;
      by = nullptr;
      --of->size;
    }
    static place visit::*member_of(list& l) noexcept { return &l == &here() ? &visit::at_host : &visit::at_home; }

    list* of = nullptr;
    visit* next = nullptr;
    visit** by = nullptr;
  };

  /// Those that are here, and those that have left from here.
  static list& here() { return domain::variable<struct here_name, list>::get(); }
  static list& absent() { return domain::variable<struct absent_name, list>::get(); }

  /// The visit of a strand that is away from home; null where it is at home.
  static visit* of(promise_base& strand) noexcept {
    strand_waiter* told = strand.home().joining_;
    return told && told->body == &report_end ? static_cast<marker*>(told)->owner : nullptr;
  }

  /// The running strand, at home, leaves for `to`. `outcome` says `closed` or `full` where it goes on here.
  static void depart(promise_base& strand, inbox& to, status& outcome) noexcept {
    void* memory = allocate_frame(sizeof(visit));
    if (!memory) {
      outcome = status::full;
      return ready::push(&strand);
    }
    visit* v = ::new (memory, in_place()) visit(strand, *own_inbox(), to, outcome);
    strand.back = &v->inner;
    v->inner.running_ = 1;
    v->away.on = waiter::sleeping;
    v->origin->note_wait(v->away);
    v->at_home.link(absent(), *v);
    if (to.post(v->transfer)) return;
    outcome = status::closed;
    v->come_home();
  }

  bool is_home(const inbox& i) const noexcept { return &home.mail() == &i; }

  /// The running strand, at its host, goes home, and from there to `to`; null: no further.
  void leave(inbox* to, status& o) noexcept {
    onward = to;
    if (onward) onward->keep();
    outcome = &o;
    go_home();
  }

  /// At the host, whose loop ends.
  static void destroy_all_here() noexcept {
    while (visit* v = here().first) {
      if (v->end.next) ready::remove(&v->end);
      v->inner.joining_ = nullptr;
      v->inner.destroy_all();
      if (v->inner.running_ != 0) v->destroy_strand();
      v->has_ended = true;
      v->go_home();
    }
  }

  /// At the host: what is here is told to stop.
  static void stop_all_here() noexcept {
    for (visit* v = here().first; v; v = v->at_host.next) v->inner.stop();
  }

  /// At home, whose loop has ended and has destroyed what was in it. Who comes home from now on is refused.
  static void forget_absent() noexcept {
    while (visit* v = absent().first) {
      v->at_home.unlink();
      if (v->away.is_suspended()) {
        v->away.unlink();
        v->origin->left();
      }
      v->forget(1);
    }
  }

  visit(promise_base& s, inbox& from, inbox& to, status& o) noexcept
      : strand(&s),
        origin(&s.home()),
        home(from),
        host(to),
        outcome(&o),
        transfer(&arrive_at_host, this),
        stopping(&arrive_to_stop, this),
        away(*this, &tell_to_stop),
        end(*this, &never) {
    end.body = &report_end;
  }
  ~visit() {
    if (onward) onward->forget();
  }

  static bool never(strand_waiter&) { return false; }

  void forget(uint32_t times) noexcept {
    if (__atomic_sub_fetch(&known_by, times, __ATOMIC_ACQ_REL) != 0) return;
    this->~visit();
    free_frame(this, sizeof(visit));
  }

  /// Its frames are destroyed where it is. It is in no list.
  void destroy_strand() noexcept {
    ++destroys();
    strand->own_handle().destroy();
    --destroys();
    inner.running_ = 0;
  }

  // ---- at the host ----

  static void arrive_at_host(void* p) {
    visit& v = *static_cast<visit*>(p);
    v.at_host.link(here(), v);
    v.inner.joining_ = &v.end;
    __atomic_store_n(&v.is_at, own_inbox(), __ATOMIC_RELAXED);
    if (own_scope() && own_scope()->is_stopping()) v.inner.stop();
    ready::push(v.strand);
  }

  /// A stop may come after its visit has left: then that was told to stop at home.
  static void arrive_to_stop(void* p) {
    visit& v = *static_cast<visit*>(p);
    if (__atomic_load_n(&v.is_at, __ATOMIC_RELAXED) == own_inbox()) v.inner.stop();
    v.forget(1);
  }

  void go_home() noexcept {
    at_host.unlink();
    __atomic_store_n(&is_at, static_cast<inbox*>(nullptr), __ATOMIC_RELAXED);
    inner.joining_ = nullptr;
    transfer.arrive = &arrive_at_home;
    if (home.mail().post(transfer)) return;
    if (has_ended) return forget(1);
    // There is no home any more. The strand, which has just been suspended, is destroyed by a job of its own.
    at_host.link(here(), *this);
    end.body = &destroy_homeless;
    ready::push(&end);
  }

  static visit& of_end(job* j) {
    ready::leave(j);
    j->next = nullptr;
    return *static_cast<marker*>(static_cast<strand_waiter*>(static_cast<waiter*>(j)))->owner;
  }

  /// The strand has ended, and its scope has told so.
  static point report_end(job* j, point) {
    visit& v = of_end(j);
    v.has_ended = true;
    v.go_home();
    return suspended;
  }

  static point destroy_homeless(job* j, point) {
    visit& v = of_end(j);
    v.destroy_strand();
    v.at_host.unlink();
    v.forget(1);
    return suspended;
  }

  // ---- at home ----

  /// Its scope stops; or destroys what is in it, and does not count it any more.
  static bool tell_to_stop(strand_waiter& w) {
    visit& v = *static_cast<marker&>(w).owner;
    if (destroys() != 0) v.origin = nullptr;
    if (v.is_told) return false;
    v.is_told = true;
    __atomic_add_fetch(&v.known_by, 1, __ATOMIC_RELAXED);
    if (!v.host.mail().post(v.stopping)) v.forget(1);  // its loop has ended, and sends it home
    return false;
  }

  static void arrive_at_home(void* p) {
    visit& v = *static_cast<visit*>(p);
    if (v.onward && !v.has_ended && v.origin && v.go_on()) return;
    v.come_home();
  }

  /// From one host to another. false: it stays.
  bool go_on() noexcept {
    host = address(*onward);
    detail::exchange<inbox*>(onward, nullptr)->forget();
    transfer.arrive = &arrive_at_host;
    if (is_told || !host.mail().post(transfer)) {
      *outcome = is_told ? status::cancelled : status::closed;
      return false;
    }
    return true;
  }

  void come_home() noexcept {
    away.unlink();
    at_home.unlink();
    if (!has_ended && !origin) {
      destroy_strand();
    } else if (!has_ended) {
      inner.running_ = 0;
      strand->back = origin;
      ready::push(strand);
    } else if (origin) {
      if (inner.failure_) {
        if (!origin->failure_) origin->failure_ = detail::move(inner.failure_);
        origin->stop();
      }
      origin->left();
    }
    forget(2);
  }

  scope inner;           // the host's, from its arrival until it leaves
  promise_base* strand;  // whoever's the transfer is
  scope* origin;         // home's; null: it is not wanted any more
  const address home;
  address host;  // home's: where it was sent to
  inbox* onward = nullptr;
  status* outcome;  // in the strand's frame
  parcel transfer;
  parcel stopping;
  marker away;  // home's, among the waits of its scope
  marker end;   // the host's: told when the strand has ended
  place at_home;
  place at_host;
  inbox* is_at = nullptr;  // where its host has it; nobody else finds itself there
  bool has_ended = false;
  bool is_told = false;
  uint32_t known_by = 2;
};

}  // namespace detail
}  // namespace async
}  // namespace baton
