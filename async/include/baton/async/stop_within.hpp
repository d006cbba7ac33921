// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/task.hpp>

/// A stop of a scope that always ends.
namespace baton::BATON_VARIANT::async {

namespace detail {

template <typename Limit>
struct [[nodiscard]] stop_within_operation {
  scope* stopped;
  due_time<Limit> due;
};

/// The join after a stop. At the limit it destroys what is left, in the coroutine that waits.
template <typename Limit>
struct stop_within_awaiter : within_awaiter<join_operation, Limit> {
  using base = within_awaiter<join_operation, Limit>;

  stop_within_awaiter(promise_base& p, const stop_within_operation<Limit>& o) noexcept
      : base(p, within<join_operation, Limit>(o.due, o.stopped->join_nothrow())) {
    o.stopped->stop();
  }

  status await_resume() {
    const status how = base::await_resume();
    if (how == status::timed_out) this->joined->destroy_remaining();
    return how;
  }
};

}  // namespace detail

/// For co_await: stops a scope and waits until its coroutines have ended, at most for a time. The
/// status is `ok`, or `timed_out` if coroutines had to be destroyed; it need not be read.
///
///     co_await async::stop_within(500_ms, sessions);
///
/// Units    as `within`.
/// Context  the last coroutine that ends puts the caller at the tail of the queue. At the limit the
///          caller destroys what is left, each chain from its innermost frame, and `on_destroyed`
///          is told. What the coroutines threw is kept in the scope, as by `join_nothrow`. A stop
///          of the caller changes nothing: the wait ends by itself.
/// Cost     that of a join with a deadline; no frame.
template <typename Limit>
auto stop_within(Limit limit, scope& s) noexcept {
  using type = typename baton::spi::limit_of<Limit>::type;
  return detail::stop_within_operation<type>{&s, detail::due_time<type>(type(limit))};
}

}  // namespace baton::BATON_VARIANT::async
