// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/task.hpp>

#if BATON_ASYNC_THROWS
#include <new>

namespace baton::BATON_VARIANT::async {

/// Returns the task; throws if there was no memory for its frame.
///
///     const page p = co_await async::with_frame(fetch(url));
///
/// Context  a program with exceptions, which goes on when memory is short. An await of an empty
///          task, and a spawn of one, would end the program.
/// Errors   std::bad_alloc: the task is empty; it has not begun.
template <typename T>
task<T> with_frame(task<T> t) {
  if (BATON_UNLIKELY(!t.has_frame())) throw std::bad_alloc();
  return t;
}

}  // namespace baton::BATON_VARIANT::async

#endif
