// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/cross_loop_wait.hpp>
#include <baton/async/select.hpp>

#if __has_include(<mutex>)

/// The cases of a select of which some are decided by other threads.
namespace baton::BATON_VARIANT::async {
namespace detail {

/// The shared part of the cases of such a select.
///
/// Shape    the claim says which case happens. The select's own loop changes it to hand over to a
///          case in a list of that loop, to withdraw the select or to destroy it; another thread
///          changes it to take a case out of a cross-loop list.
/// Context  a thread that finds the claim taken leaves the case, and goes on to the next waiter in
///          its list. The select's own loop takes the other cases out of their lists: at once, or
///          when the message of the end has arrived.
struct cross_loop_select_record : cross_loop_claim {
  using withdraw_function = void (*)(cross_loop_select_record&, uint8_t but) noexcept;

  waiter* owner = nullptr;
  withdraw_function withdraw_others = nullptr;

  /// Called by the select's loop: a case has happened on another thread.
  static void arrive(void* p) {
    const cross_loop_wait& won = *static_cast<cross_loop_wait*>(p);
    cross_loop_select_record& self = static_cast<cross_loop_select_record&>(*won.claim);
    self.withdraw_others(self, won.number);
    wake(self.owner, static_cast<uint8_t>(won.how));
  }
};

/// A node in a list of the select's own loop. It differs from core's `select_case` in that it may
/// refuse.
struct refusing_case : waiter {
  refusing_case() : waiter(&run, select_case_mark) {}

  static point run(job* j, point why) {
    refusing_case& self = *static_cast<refusing_case*>(static_cast<waiter*>(j));
    cross_loop_select_record& all = *self.record;
    if (why == select_case_claim) return self.claim(all);
    all.owner->on = self.on;
    ready::push_next(all.owner);
    ready::leave(&self);
    self.next = nullptr;
    return suspended;
  }

  point claim(cross_loop_select_record& all) noexcept {
    if (!all.take(number)) {
      next = nullptr;
      end(status::cancelled);
      return baton::spi::select_case_refusal;
    }
    all.withdraw_others(all, number);
    return suspended;
  }

  cross_loop_select_record* record = nullptr;
  uint8_t number = 0;
};

/// True if the other side of a hand-over copies the value, and the copy may throw. Another thread
/// takes such a case before it reads the value, so it could not leave the case as it was.
template <typename Operation>
constexpr bool throws_elsewhere = false;
template <typename Operation>
  requires(Operation::other_side_may_throw)
constexpr bool throws_elsewhere<Operation> = true;

#define BATON_ASYNC_SENT_CASE_MAY_THROW                                                                     \
  "the copy of this value may throw, so its send cannot be a case of a select across loops, which takes a " \
  "case before it copies: send what can only be moved, such as a std::unique_ptr"

/// A case on a primitive of the select's own loop. Its node is a waiter in the frame; a copy of the
/// case has a node of its own.
template <typename Operation>
struct own_case {
  static_assert(Operation::selectable,
                "a call cannot be a case of a select: once a server has it, it cannot be taken back");
  static_assert(baton::spi::cases_may_refuse &&
                    sizeof(Operation) != 0,  // checked where a case is made, not where this is read
                "a select across loops needs a port that declares has_heap and has 64-bit ticks");
  static_assert(!throws_elsewhere<Operation>, BATON_ASYNC_SENT_CASE_MAY_THROW);
  static constexpr bool is_cross_loop = false;

  explicit own_case(const Operation& o) noexcept : operation(o) {}
  own_case(const own_case& other) noexcept : operation(other.operation) {}

  bool try_now(waiter& w) noexcept(!may_throw<Operation>) { return operation.try_now(w); }

  /// Enters the list. false: the wait has ended before it began.
  bool enlist(cross_loop_select_record& all, uint8_t number) noexcept {
    stand.record = &all;
    stand.number = number;
    stand.at = select_case_mark;  // until it is in a list: a primitive that ends a wait at once checks the mark
    stand.end(status::ok);
    baton::spi::suspend_watched(operation, stand, 0);
    if (!stand.is_listed()) return false;
    stand.at = baton::spi::refusing_case_mark;
    // Receivers and senders in one list: the select would wait for itself.
    BATON_REQUIRE(cross_loop_select_waits_for_itself,
                  (stand.list()->kind & wait_list::closed_for_ever) != wait_list::closed_for_ever);
    return true;
  }

  void withdraw() noexcept {
    if (!stand.is_listed()) return;
    stand.list()->remove(&stand);
    stand.end(status::cancelled);
  }

  void settle() noexcept {
    if (stand.next) ready::remove(&stand);
  }
  /// Gives back what was handed to the case, or what it took without a wait.
  void give_back(bool has_taken) noexcept {
    if constexpr (takes<Operation>) {
      if (has_taken || stand.on == waiter::delivered) detail::give_back(operation, 0);
    }
  }

  Operation operation;
  refusing_case stand;
};

/// A case on a cross-loop object.
template <typename Operation>
struct cross_loop_case {
  static_assert(
      requires(const Operation& o, const cross_loop_claim& c) { o.is_possible(c); },
      "a call cannot be a case of a select: once a server has it, it cannot be taken back");
  static_assert(!throws_elsewhere<Operation>, BATON_ASYNC_SENT_CASE_MAY_THROW);
  static constexpr bool is_cross_loop = true;

  explicit cross_loop_case(const Operation& o) noexcept : operation(o) {}

  /// Tries the operation. A closed object ends the select only if nothing else is possible.
  bool try_now(waiter& w) noexcept(!may_throw<Operation>) { return operation.try_once(w) && w.result() == status::ok; }

  /// Enters the list. false: the operation has become possible, or the object is closed.
  bool enlist(cross_loop_select_record& all, uint8_t number, waiter& owner) noexcept {
    const std::lock_guard<std::mutex> hold(*operation.lock);
    if (operation.is_possible(all)) return false;
    cross_loop_wait& r = operation.record;
    r.begin(owner, *operation.lock, operation.slot, &cross_loop_select_record::arrive);
    r.claim = &all;
    r.number = number;
    operation.list().push(r);
    is_known = true;
    return true;
  }

  void withdraw() noexcept {
    if (!is_known) return;
    is_known = false;
    const std::lock_guard<std::mutex> hold(*operation.lock);
    if (operation.record.phase == cross_loop_wait::listed) operation.list().remove(operation.record);
  }

  /// Delivers the end of a claimed case. Once the lock is free the end has been sent, unless the
  /// loop has refused it.
  void settle() noexcept {
    operation.lock->lock();
    operation.lock->unlock();
    if (operation.record.phase == cross_loop_wait::taken) operation.record.mailbox_->deliver();
  }
  void give_back(bool has_taken) noexcept {
    if ((takes<Operation> && has_taken) || operation.record.was_handed()) operation.give_back();
  }

  Operation operation;
  bool is_known = false;  // to other threads
};

template <typename Operation>
struct case_type {
  using type = own_case<Operation>;
};
template <crosses_loops Operation>
struct case_type<Operation> {
  using type = cross_loop_case<Operation>;
};

/// The cases, in order.
template <typename... Operations>
struct case_list {
  template <typename Function>
  bool any(Function, uint8_t = 0) noexcept {
    return false;
  }
};
template <typename First, typename... Rest>
struct case_list<First, Rest...> {
  explicit case_list(const First& f, const Rest&... r) noexcept : first(f), rest(r...) {}

  /// True if `f(case, number)` is true for one case; the cases behind that one are not asked.
  template <typename Function>
  bool any(Function f, uint8_t number = 0) noexcept(!(may_throw<First> || ... || may_throw<Rest>)) {
    return f(first, number) || rest.any(f, static_cast<uint8_t>(number + 1));
  }

  typename case_type<First>::type first;
  case_list<Rest...> rest;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
#endif
