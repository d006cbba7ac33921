// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/scope.hpp>
#include <baton/async/stop.hpp>

namespace baton::BATON_VARIANT::async {

/// A scope that also stops when a token's source does:
///
///     async::linked_scope uploads(session.token());
///     uploads.spawn(upload(file));
///     co_await uploads.join();
///
/// Shape    a scope, and a node in the list of the token's source. A scope without a token does not
///          carry the node. A scope that a coroutine joins needs none: a stop of the coroutine's
///          own scope goes through the join.
/// Context  one domain, that of the source. A stop of the source stops the scope as `scope::stop`
///          does, on the caller's stack, in its turn among the source's callbacks, the latest
///          first. Its own `stop` leaves the source alone. The source may be destroyed first: the
///          scope goes on without it. With a token that has stopped, the scope is stopping from the
///          beginning.
/// Errors   as `scope`.
class linked_scope : public scope {
 public:
  explicit linked_scope(stop_token t) noexcept : link_(*this, t) {}

 private:
  detail::stop_link<scope> link_;
};

}  // namespace baton::BATON_VARIANT::async
