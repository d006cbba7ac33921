// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/language.hpp>
#include <baton/core.hpp>

namespace baton::BATON_VARIANT::async {

class stop_source;

namespace detail {

/// A node in a source's list: its function is called once, when the source stops.
struct stop_node {
  using function = void (*)(stop_node&) noexcept;

  explicit stop_node(function f) noexcept : call(f) {}
  ~stop_node() { unlink(); }
  stop_node(const stop_node&) = delete;
  stop_node& operator=(const stop_node&) = delete;

  void link(stop_node*& first) noexcept {
    following = first;
    if (first) first->linked_by = &following;
    first = this;
    linked_by = &first;
  }
  void unlink() noexcept {
    if (!linked_by) return;
    *linked_by = following;
    if (following) following->linked_by = linked_by;
    linked_by = nullptr;
  }

  function call;
  stop_node* following = nullptr;
  stop_node** linked_by = nullptr;
};

}  // namespace detail

/// Says whether a scope or a source was told to stop. It is handed to what should end with the
/// scope and is not its child.
///
/// Shape    a pointer; an empty token never stops. The source outlives its tokens.
class stop_token {
 public:
  constexpr stop_token() noexcept = default;

  bool can_stop() const noexcept { return source_ != nullptr; }
  inline bool is_stopping() const noexcept;

  /// For the other parts of async.
  inline void note(detail::stop_node& n) const noexcept;

 private:
  friend class stop_source;
  constexpr explicit stop_token(stop_source& s) noexcept : source_(&s) {}

  stop_source* source_ = nullptr;
};

/// Tells the holders of its tokens to stop, once. Each scope has one.
///
/// Context  one domain. `stop` runs the callbacks on the caller's stack, the latest first.
class stop_source {
 public:
  constexpr stop_source() noexcept = default;
  stop_source(const stop_source&) = delete;
  stop_source& operator=(const stop_source&) = delete;
  /// Unlinks its nodes: a wait that uses one of its tokens goes on, and ends by its own operation.
  ~stop_source() {
    while (first_) first_->unlink();
  }

  stop_token token() noexcept { return stop_token(*this); }
  bool is_stopping() const noexcept { return stopping_; }

  /// Idempotent.
  void stop() noexcept {
    stopping_ = true;
    while (detail::stop_node* n = first_) {
      n->unlink();
      n->call(*n);
    }
  }

 private:
  friend class stop_token;

  detail::stop_node* first_ = nullptr;
  bool stopping_ = false;
};

inline bool stop_token::is_stopping() const noexcept {
  return source_ && source_->stopping_;
}
inline void stop_token::note(detail::stop_node& n) const noexcept {
  if (source_) n.link(source_->first_);
}

namespace detail {

/// Stops `Stoppable` with a token's source, or at once if that has stopped already.
template <typename Stoppable>
struct stop_link : stop_node {
  stop_link(Stoppable& s, stop_token with) noexcept : stop_node(&run), linked(&s) {
    if (with.is_stopping()) {
      s.stop();
    } else {
      with.note(*this);
    }
  }
  static void run(stop_node& n) noexcept { static_cast<stop_link&>(n).linked->stop(); }

  Stoppable* linked;
};

}  // namespace detail

/// A source that also stops when a token's source does: a node of a tree.
///
///     async::linked_stop_source request(connection.token());
///     ...
///     request.stop();      // this request and those below it alone
///
/// Shape    a stop_source, and a node in the list of the token's source, its parent. A type of its
///          own: a source without a parent, as each scope has, does not carry the node.
/// Context  one domain, that of the parent. A stop of the parent stops it in its turn among the
///          parent's callbacks, the latest first, and so everything below it before the parent's
///          next callback. Its own `stop` reaches down only. Its destruction unlinks it; if the
///          parent is destroyed first, it goes on without one. It is not destroyed by a callback
///          of its own. A token that has stopped, or that is empty, makes one that is stopping
///          from the beginning, or that never stops unless it is told to.
/// Cost     constant, to link and to unlink. A stop takes stack for each level below it.
class linked_stop_source : public stop_source {
 public:
  explicit linked_stop_source(stop_token parent) noexcept : link_(*this, parent) {}

 private:
  detail::stop_link<stop_source> link_;
};

/// Runs a function when a token's source stops, or at once if it has stopped already; never after
/// its own destruction.
///
///     async::stop_callback cancel(token, [&] { timer.cancel(); });
///
/// Context  the stack of the caller of `stop`. The function may destroy other callbacks, and must
///          not throw.
template <typename Function>
class stop_callback : detail::stop_node {
 public:
  stop_callback(stop_token t, Function f) noexcept : stop_node(&run), function_(detail::move(f)) {
    if (t.is_stopping()) {
      function_();
    } else {
      t.note(*this);
    }
  }

 private:
  static void run(stop_node& n) noexcept { static_cast<stop_callback&>(n).function_(); }

  Function function_;
};

namespace detail {

/// An operation that also ends when a token's source stops, with `cancelled`.
template <typename Operation>
struct [[nodiscard]] until_stop_operation : Operation {
  static constexpr bool selectable = false;  // the select as a whole may have one

  until_stop_operation(stop_token t, const Operation& o) noexcept : Operation(o), token(t), node(&end) {}
  until_stop_operation(const until_stop_operation& o) noexcept : Operation(o), token(o.token), node(&end) {}

  bool try_now(waiter& w) noexcept(noexcept(Operation::try_now(w))) {
    if (BATON_UNLIKELY(token.is_stopping())) return w.end(status::cancelled), true;
    return Operation::try_now(w);
  }

  void suspend(waiter& w) noexcept(noexcept(Operation::suspend(w))) {
    Operation::suspend(w);
    if (w.on <= waiter::delivered) return;
    node.who = &w;
    token.note(node);
  }

  /// Called if the coroutine is destroyed before it goes on with what was handed to it.
  void give_back() {
    if constexpr (requires(Operation& o) { o.give_back(); }) {
      Operation::give_back();
    } else {
      baton::spi::count_dropped_value();
    }
  }

  struct waiting_node : stop_node {
    using stop_node::stop_node;
    waiter* who = nullptr;
  };

  static void end(stop_node& n) noexcept {
    waiter& w = *static_cast<waiting_node&>(n).who;
    if (Operation::withdraw(w)) wake(&w, static_cast<uint8_t>(status::cancelled));
  }

  stop_token token;
  waiting_node node;
};

}  // namespace detail

/// For co_await: an operation that also ends when another scope or source stops:
/// `co_await until_stop(token, c.receive(value))` is `cancelled` then. It goes inside `within`, and
/// around `select`.
template <typename Operation>
  requires requires(Operation& o, waiter& w) { o.try_now(w); }
detail::until_stop_operation<Operation> until_stop(stop_token t, const Operation& o) noexcept {
  return {t, o};
}

}  // namespace baton::BATON_VARIANT::async
