// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>
#include <stdint.h>

namespace baton {
namespace async {
namespace detail {

/// A port that can let another thread run first; where there are no others, nothing.
template <typename Port>
auto give_way_in(int) -> decltype(Port::give_way()) {
  return Port::give_way();
}
template <typename Port>
void give_way_in(long) {}

/// What became of a node that was pushed: behind others, or to a consumer that rests and must be rung, or nothing: it is closed.
enum class pushed : uint8_t { behind, to_resting, refused };

/// A list that any number of threads push to, and one, the consumer, takes whole.
///
/// Shape    a stack of nodes, linked by `next`, or one of two marks. A consumer that finds nothing leaves the mark `resting`; who replaces it has to ring,
///          and says so by `rung`. `close` waits for that, so that who rings does not touch what the consumer then destroys.
/// Context  `push` and `rung` any thread; everything else the consumer's. What a producer wrote before `push` is seen after `take_all`.
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
      n->next = top == mark(resting) ? nullptr : top;
    } while (!__atomic_compare_exchange_n(&top_, &top, n, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return top == mark(resting) ? pushed::to_resting : pushed::behind;
  }

  /// The consumer has been rung; the last thing that a producer does here.
  void rung() noexcept { __atomic_fetch_add(&rung_, 1, __ATOMIC_RELEASE); }

  /// Whether anything is there.
  BATON_INLINE bool has_any() const noexcept {
    return reinterpret_cast<uintptr_t>(__atomic_load_n(&top_, __ATOMIC_RELAXED)) > closed;
  }

  /// Takes what is there, in the order in which it was pushed, linked by `next`. Null: nothing is.
  Node* take_all() noexcept {
    if (!has_any()) return nullptr;
    return in_order(__atomic_exchange_n(&top_, nullptr, __ATOMIC_ACQUIRE));
  }

  /// The consumer rests: who pushes next rings. false: something is there, or it is closed.
  bool rest() noexcept {
    Node* top = nullptr;
    if (__atomic_compare_exchange_n(&top_, &top, mark(resting), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      ++rests_;
      return true;
    }
    return top == mark(resting);
  }

  /// It rests no more. false: who ended the rest rings, or is about to.
  bool stir() noexcept {
    Node* top = mark(resting);
    if (!__atomic_compare_exchange_n(&top_, &top, nullptr, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return false;
    --rests_;
    return true;
  }

  /// From another thread, as a push of nothing. true: the consumer rested, and must be rung.
  bool rouse() noexcept {
    Node* top = mark(resting);
    return __atomic_compare_exchange_n(&top_, &top, nullptr, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }

  /// Refuses what is pushed from now on, and takes what was pushed before. Afterwards nobody has still to ring.
  Node* close() noexcept {
    Node* top = __atomic_exchange_n(&top_, mark(closed), __ATOMIC_SEQ_CST);
    if (top == mark(resting)) --rests_;
    while (__atomic_load_n(&rung_, __ATOMIC_ACQUIRE) != rests_) give_way_in<port>(0);
    return reinterpret_cast<uintptr_t>(top) <= closed ? nullptr : in_order(top);
  }

  bool is_resting() const noexcept { return __atomic_load_n(&top_, __ATOMIC_ACQUIRE) == mark(resting); }
  bool is_closed() const noexcept { return __atomic_load_n(&top_, __ATOMIC_SEQ_CST) == mark(closed); }

  /// Takes pushes again, after `close`.
  void reopen() noexcept { __atomic_store_n(&top_, static_cast<Node*>(nullptr), __ATOMIC_RELEASE); }

 private:
  enum marks : uintptr_t { resting = 1, closed = 2 };
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
  uint32_t rung_ = 0;
  uint32_t rests_ = 0;  // the consumer's: how many of its rests were ended by others, or will be
};

}  // namespace detail
}  // namespace async
}  // namespace baton
