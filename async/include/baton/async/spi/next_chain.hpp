// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/call_chain.hpp>

/// Service-provider interface of async: a job that lets the coroutine that it woke run at once.
///
/// It is for Baton's modules. Users do not name it, and it may change with any release.
namespace baton::BATON_VARIANT::async::spi {

/// Yields from the running job `j`, the head of the ready queue, to a coroutine, if that is the
/// only other job and nothing else is to do: the coroutine runs inside the call, as the scheduler
/// would run it next. true: it has run, and the queue is as it has left it, `j` included.
///
/// Context  `j` is no coroutine itself. It calls this where nothing of its own is half done, and
///          returns `suspended` if it is not the head any more.
/// Cost     less than the way through the scheduler, which calls two jobs.
BATON_INLINE bool yield_to_next_chain(job& j) {
  job* const next = j.next;
  if (next->next != &j || next->body != &detail::run_call_chain) return false;
  if (BATON_UNLIKELY(port::attention::raised())) return false;
  domain::tail() = &j;
  trace(transition::run, next);
  detail::resume(detail::handle::from_address(detail::chain_of(next).other));
  trace(transition::run, &j);
  return true;
}

}  // namespace baton::BATON_VARIANT::async::spi
