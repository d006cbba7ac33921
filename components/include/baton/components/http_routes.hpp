// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/components/http_message.hpp>
#include <baton/components/routes.hpp>
#include <functional>

namespace baton::BATON_VARIANT::components {

/// A coroutine that answers a request.
using http_handler = std::function<async::task<http_response>(http_request)>;

class streamed_body;  // http_body.hpp

namespace detail {

/// The coroutine of a route: the one for a whole request, or the one that reads the body in pieces.
struct http_way {
  http_handler whole;
  std::shared_ptr<const streamed_body> streamed;
};
using http_target = route_target<http_way>;
struct http_routes : route_table<http_way> {
  bool has_streamed = false;
};

}  // namespace detail

/// A route of a server, which the server has as long as this object lives. A coroutine of it that
/// has begun runs to its end.
using http_route = basic_route<detail::http_way>;

}  // namespace baton::BATON_VARIANT::components
