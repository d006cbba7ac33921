// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/as_case.hpp>

/// A select of which some cases are no operations of primitives.
namespace baton::BATON_VARIANT::async {

namespace detail {

template <typename T>
struct without_const {
  using type = T;
};
template <typename T>
struct without_const<const T> {
  using type = T;
};
/// The type of an expression's value.
template <typename T>
using bare_type_of = typename without_const<plain_type_of<T>>::type;

/// A case as the expression gives it, by its type.
///
/// Shape    `wait(scope)` gives the operation that stands for it in the select; `told()` the case
///          that hears of its end; `ended()` the status of a child that has ended.
template <typename T>
struct case_source {
  static constexpr bool has_child = true;
  static_assert(awaitable<T>, "a case of a select is something that a coroutine may await");
  static_assert(!awaitable<T> || __is_same(awaited_type<T>, void) || __is_same(awaited_type<T>, status),
                "what the case gives would be lost: give the case a name, auto c = async::as_case(...)");

  explicit case_source(T&& a) : awaited(static_cast<T&&>(a)) {}
  auto wait(scope* all) noexcept { return awaited.wait_(*all); }
  static decltype(nullptr) told() noexcept { return nullptr; }
  status ended() {
    awaited.rethrow_();
    return awaited.status_();
  }

  awaited_case<T> awaited;
};
template <typename T>
  requires(is_native_case<T>)
struct case_source<T> {
  static constexpr bool has_child = false;

  explicit case_source(const T& o) : operation(o) {}
  const T& wait(scope*) const noexcept { return operation; }
  static decltype(nullptr) told() noexcept { return nullptr; }
  static status ended() noexcept { return status::ok; }

  T operation;
};
template <typename Limit>
struct case_source<sleep_operation<Limit>> {
  static constexpr bool has_child = false;

  explicit case_source(const sleep_operation<Limit>& o) noexcept : delay(o) {}
  sleep_case<Limit> wait(scope*) const noexcept { return sleep_case<Limit>(delay); }
  static decltype(nullptr) told() noexcept { return nullptr; }
  static status ended() noexcept { return status::ok; }

  sleep_operation<Limit> delay;
};
template <typename T, uint16_t Capacity>
struct case_source<received_case<T, Capacity>&> {
  static constexpr bool has_child = false;

  explicit case_source(received_case<T, Capacity>& c) noexcept : named(&c) {}
  auto wait(scope*) const noexcept { return named->wait_(); }
  told_case* told() const noexcept { return named->told_(); }
  static status ended() noexcept { return status::ok; }

  received_case<T, Capacity>* named;
};
template <typename T>
struct case_source<awaited_case<T>&> {
  static constexpr bool has_child = true;

  explicit case_source(awaited_case<T>& c) noexcept : named(&c) {}
  auto wait(scope* all) const noexcept { return named->wait_(*all); }
  static decltype(nullptr) told() noexcept { return nullptr; }
  status ended() const noexcept { return named->status_(); }

  awaited_case<T>* named;
};

template <typename T>
constexpr bool is_delay = false;
template <typename Limit>
constexpr bool is_delay<sleep_operation<Limit>> = true;

/// The source for an expression of type `T`. Operations and delays are copied, others moved.
template <typename T, bool IsCopied = is_native_case<bare_type_of<T>> || is_delay<bare_type_of<T>>>
struct source_of {
  using type = case_source<T>;
};
template <typename T>
struct source_of<T, true> {
  using type = case_source<bare_type_of<T>>;
};
template <typename T>
using source_type = typename source_of<T>::type;

/// A select that tells a case with a result that it has won.
template <typename Select, uint8_t Cases>
struct [[nodiscard]] telling_select : Select {
  telling_select(const Select& s, told_case* const (&all)[Cases]) noexcept : Select(s) {
    for (uint8_t i = 0; i != Cases; ++i) told[i] = all[i];
  }
  selection outcome(status how) const noexcept {
    const selection s = Select::outcome(how);
    if (s && told[s.index]) told[s.index]->tell(*told[s.index], how);
    return s;
  }

  told_case* told[Cases];
};

/// The operation of a select over the cases.
template <typename... Source>
auto operation_of(scope* all, Source&... s) noexcept {
  if constexpr ((__is_same(decltype(s.told()), told_case*) || ...)) {
    told_case* const told[] = {s.told()...};
    return telling_select<decltype(select(s.wait(all)...)), sizeof...(Source)>(select(s.wait(all)...), told);
  } else {
    return select(s.wait(all)...);
  }
}
template <typename... Source>
auto operation_of_temporaries(Source... s) noexcept {
  return operation_of(nullptr, s...);
}

inline status ended_of(uint8_t) noexcept {
  return status::ok;
}
template <typename First, typename... Rest>
status ended_of(uint8_t index, First& first, Rest&... rest) {
  return index == 0 ? first.ended() : ended_of(static_cast<uint8_t>(index - 1), rest...);
}

/// A select with children. They are asked to end when it has been decided, and it ends when they
/// have.
template <typename... Source>
task<selection> select_with_children(Source... s) {
  scope all;
  auto waits = operation_of(&all, s...);
  selection first = co_await waits;
  all.stop();
  co_await all.join_nothrow();
  if (first) first.status = ended_of(first.index, s...);
  co_return first;
}

}  // namespace detail

/// For co_await: `select` over anything that a coroutine may await. Delays, and receives by value
/// with a name, are waits like those of primitives. A child coroutine awaits everything else.
///
///     auto bytes = async::as_case(stream.async_read_some(buffer, use_baton));
///     async::selection s = co_await async::select(bytes, bell.wait(), async::sleep_for(1_s));
///     if (bytes.has_result()) use(bytes.result());
///
/// Context  as `select`. A child begins when the select comes to its case, in the order in which
///          the cases are written; its wait may end at any time from then on. If a case has won, or
///          at a stop or a deadline, the children of the other cases are asked to end: they are
///          stopped. The caller goes on at the tail of the queue when they have ended, and what
///          each of them gave is kept in its case, so that nothing is lost. The status is that of
///          the case: a child's own if it gives a status or a result, else `ok`. An exception of a
///          child without a name is thrown.
/// Cost     48 bytes of the frame per case on a 64-bit machine, and a delay's alarm; with children
///          a frame for all, and a frame for each.
/// Errors   full: there is no memory for a frame; `index` has no meaning, or is that of the case.
///          A case that gives more than a status has to have a name.
template <typename... Case>
  requires(!detail::is_native_case<detail::bare_type_of<Case>> || ...)
auto select(Case&&... cases) {
  if constexpr ((detail::source_type<Case>::has_child || ...)) {
    return detail::ending_task<selection>{
        detail::select_with_children(detail::source_type<Case>(static_cast<Case&&>(cases))...)};
  } else {
    return detail::operation_of_temporaries(detail::source_type<Case>(static_cast<Case&&>(cases))...);
  }
}

}  // namespace baton::BATON_VARIANT::async
