// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/spi/give_way.hpp>
#include <baton/core.hpp>
#include <stdint.h>

namespace baton::BATON_VARIANT::async {
namespace detail {

/// The result of a push: `behind` others; `to_sleeping`, a consumer that the producer must notify;
/// or `refused`, because the list is closed.
enum class pushed : uint8_t { behind, to_sleeping, refused };

/// A list that any number of threads push to and one thread, the consumer, takes as a whole.
///
/// Shape    a stack of nodes, linked by `next`, or one of two marks. A consumer that finds nothing
///          leaves the mark `sleeping`. The producer that replaces the mark has to notify the
///          consumer, and then calls `notified`. `close` waits for that call: no producer touches
///          what the consumer destroys afterwards.
/// Context  `push` and `notified`: any thread. The other functions: the consumer, except where they
///          name another thread. Writes of a producer before `push` are visible after `take_all`.
/// Cost     `push` takes one compare-and-swap, and more while other threads push; `take_all` one
///          exchange, or a load if the list is empty.
/// Source   R. K. Treiber, Systems programming: coping with parallelism (1986). All nodes are taken
///          at once, so the ABA problem cannot occur.
template <typename Node>
class mpsc_list {
 public:
  mpsc_list() = default;
  mpsc_list(const mpsc_list&) = delete;
  mpsc_list& operator=(const mpsc_list&) = delete;

  pushed push(Node* n) noexcept {
    Node* top = __atomic_load_n(&top_, __ATOMIC_RELAXED);
    do {
      if (BATON_UNLIKELY(top == mark(closed))) return pushed::refused;
      n->next = top == mark(sleeping) ? nullptr : top;
    } while (!__atomic_compare_exchange_n(&top_, &top, n, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return top == mark(sleeping) ? pushed::to_sleeping : pushed::behind;
  }

  /// Counts a notification; the last call of a producer here.
  void notified() noexcept { __atomic_fetch_add(&notified_, 1, __ATOMIC_RELEASE); }

  /// True if there is a node.
  BATON_INLINE bool has_any() const noexcept {
    return reinterpret_cast<uintptr_t>(__atomic_load_n(&top_, __ATOMIC_RELAXED)) > closed;
  }

  /// Takes all nodes, in the order in which they were pushed, linked by `next`. Null: there are
  /// none.
  Node* take_all() noexcept {
    if (!has_any()) return nullptr;
    return in_order(__atomic_exchange_n(&top_, nullptr, __ATOMIC_ACQUIRE));
  }

  /// Announces that the consumer is about to sleep: the next producer notifies it. false: there is
  /// a node, or the list is closed.
  bool prepare_to_sleep() noexcept {
    Node* top = nullptr;
    if (__atomic_compare_exchange_n(&top_, &top, mark(sleeping), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      ++sleeps_;
      return true;
    }
    return top == mark(sleeping);
  }

  /// Announces that the consumer does not sleep any more. false: a producer ended the sleep, and
  /// notifies or is about to.
  bool finish_sleep() noexcept {
    Node* top = mark(sleeping);
    if (!__atomic_compare_exchange_n(&top_, &top, nullptr, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return false;
    --sleeps_;
    return true;
  }

  /// Ends the sleep from another thread, as a push without a node. true: the consumer slept, and
  /// must be notified.
  bool interrupt_sleep() noexcept {
    Node* top = mark(sleeping);
    return __atomic_compare_exchange_n(&top_, &top, nullptr, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

  /// Refuses later pushes, and takes the nodes that were pushed before. Afterwards no producer has
  /// still to notify.
  Node* close() noexcept {
    Node* top = __atomic_exchange_n(&top_, mark(closed), __ATOMIC_SEQ_CST);
    if (top == mark(sleeping)) --sleeps_;
    while (__atomic_load_n(&notified_, __ATOMIC_ACQUIRE) != sleeps_) spi::give_way();
    return reinterpret_cast<uintptr_t>(top) <= closed ? nullptr : in_order(top);
  }

  bool is_asleep() const noexcept { return __atomic_load_n(&top_, __ATOMIC_ACQUIRE) == mark(sleeping); }
  bool is_closed() const noexcept { return __atomic_load_n(&top_, __ATOMIC_SEQ_CST) == mark(closed); }

  /// Accepts pushes again, after `close`.
  void reopen() noexcept { __atomic_store_n(&top_, static_cast<Node*>(nullptr), __ATOMIC_RELEASE); }

 private:
  enum marks : uintptr_t { sleeping = 1, closed = 2 };
  static Node* mark(marks m) noexcept { return reinterpret_cast<Node*>(m); }

  static Node* in_order(Node* newest) noexcept {
    Node* first = nullptr;
    while (newest) {
      Node* older = static_cast<Node*>(newest->next);
      newest->next = first;
      first = newest;
      newest = older;
    }
    return first;
  }

  Node* top_ = nullptr;
  uint32_t notified_ = 0;
  uint32_t sleeps_ = 0;  // the consumer's: the number of its sleeps that were or will be ended by other threads
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
