// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/as_task.hpp>
#include <baton/async/linked_scope.hpp>
#include <baton/async/select.hpp>
#include <baton/async/taking.hpp>

namespace baton::BATON_VARIANT::async {

namespace detail {

template <>
struct status_type_of<selection> {
  using type = selection;
  static type make(const result<type>& r) noexcept { return r ? *r : type{0, r.status()}; }
};

template <typename Awaitable>
task<typename status_type_of<awaited_type<Awaitable>>::type> run_until_stop(stop_token t, Awaitable a) {
  using value = awaited_type<Awaitable>;
  using ended = typename status_type_of<value>::type;
  struct keeper {
    task_outcome<value>& outcome() noexcept { return *to; }
    void end() noexcept {}
    task_outcome<value>* to;
  };
  task_outcome<value> outcome;
  linked_scope inner(t);
  task<void> child = keep_outcome(detail::move(a), keeper{&outcome});
  if (!child.has_frame()) co_return ended_by<ended>(status::full);
  inner.spawn(detail::move(child));
  co_await inner.join_nothrow();
  co_return status_type_of<value>::make(outcome.take());
}

}  // namespace detail

/// For co_await: anything else that a coroutine may await, until another scope or source stops:
/// `co_await until_stop(token, fetch(url))`.
///
/// Shape    the result is that of the awaitable, if it is a status, a `result` or a `selection`;
///          else a `result` of it.
/// Context  a child coroutine awaits it. A stop of the token's source, or of the caller, stops the
///          child; the caller goes on at the tail of the queue when the child has ended, with what
///          it gave or threw.
/// Cost     two frames and a call chain.
/// Errors   full: there is no memory for one of the frames.
template <detail::awaitable Awaitable>
  requires(!requires(Awaitable& o, waiter& w) { o.try_now(w); })
auto until_stop(stop_token t, Awaitable a) {
  using ended = typename detail::status_type_of<detail::awaited_type<Awaitable>>::type;
  return detail::ending_task<ended>{detail::run_until_stop(t, detail::move(a))};
}

}  // namespace baton::BATON_VARIANT::async
