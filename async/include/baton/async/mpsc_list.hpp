// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <stdint.h>

namespace baton::BATON_VARIANT::async {
namespace detail {

/// A port that can let another thread run first; where there are no others, nothing.
template <typename Port>
auto give_way_in(int) -> decltype(Port::give_way()) {
  return Port::give_way();
}
template <typename Port>
void give_way_in(long) {}

/// What became of a node that was pushed: behind others, or to a consumer that sleeps and must be notified, or nothing: it is closed.
enum class pushed : uint8_t { behind, to_sleeping, refused };

/// A list that any number of threads push to, and one, the consumer, takes whole.
///
/// Shape    a stack of nodes, linked by `next`, or one of two marks. A consumer that finds nothing leaves the mark `sleeping`; the producer that replaces it has to notify,
///          and says so by `notified`. `close` waits for that, so that no producer touches what the consumer then destroys.
/// Context  `push` and `notified` any thread; everything else the consumer's. What a producer wrote before `push` is seen after `take_all`.
/// Cost     `push` one compare-and-swap, more where others push at once; `take_all` one exchange, and a look where there is nothing.
/// Source   R. K. Treiber, Systems programming: coping with parallelism (1986). Nodes are taken all at once, so that none comes back
///          while another is looked at.
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

  /// The consumer has been notified; the last thing that a producer does here.
  void notified() noexcept { __atomic_fetch_add(&notified_, 1, __ATOMIC_RELEASE); }

  /// Whether anything is there.
  BATON_INLINE bool has_any() const noexcept {
    return reinterpret_cast<uintptr_t>(__atomic_load_n(&top_, __ATOMIC_RELAXED)) > closed;
  }

  /// Takes what is there, in the order in which it was pushed, linked by `next`. Null: nothing is.
  Node* take_all() noexcept {
    if (!has_any()) return nullptr;
    return in_order(__atomic_exchange_n(&top_, nullptr, __ATOMIC_ACQUIRE));
  }

  /// The consumer is about to sleep: the next producer notifies it. false: something is there, or it is closed.
  bool prepare_to_sleep() noexcept {
    Node* top = nullptr;
    if (__atomic_compare_exchange_n(&top_, &top, mark(sleeping), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      ++sleeps_;
      return true;
    }
    return top == mark(sleeping);
  }

  /// The consumer sleeps no more. false: a producer ended the sleep, and notifies or is about to.
  bool finish_sleep() noexcept {
    Node* top = mark(sleeping);
    if (!__atomic_compare_exchange_n(&top_, &top, nullptr, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return false;
    --sleeps_;
    return true;
  }

  /// From another thread, as a push of nothing. true: the consumer slept, and must be notified.
  bool interrupt_sleep() noexcept {
    Node* top = mark(sleeping);
    return __atomic_compare_exchange_n(&top_, &top, nullptr, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

  /// Refuses what is pushed from now on, and takes what was pushed before. Afterwards no producer has still to notify.
  Node* close() noexcept {
    Node* top = __atomic_exchange_n(&top_, mark(closed), __ATOMIC_SEQ_CST);
    if (top == mark(sleeping)) --sleeps_;
    while (__atomic_load_n(&notified_, __ATOMIC_ACQUIRE) != sleeps_) give_way_in<port>(0);
    return reinterpret_cast<uintptr_t>(top) <= closed ? nullptr : in_order(top);
  }

  bool is_asleep() const noexcept { return __atomic_load_n(&top_, __ATOMIC_ACQUIRE) == mark(sleeping); }
  bool is_closed() const noexcept { return __atomic_load_n(&top_, __ATOMIC_SEQ_CST) == mark(closed); }

  /// Takes pushes again, after `close`.
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
  uint32_t sleeps_ = 0;  // the consumer's: how many of its sleeps were ended by others, or will be
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
