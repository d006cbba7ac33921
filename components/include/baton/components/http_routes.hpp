// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/components/http_message.hpp>
#include <baton/components/routes.hpp>
#include <functional>

namespace baton::BATON_VARIANT::components {

/// A coroutine that answers a request.
using http_handler = std::function<async::task<http_response>(http_request)>;

namespace detail {

using http_target = route_target<http_handler>;
using http_routes = route_table<http_handler>;

}  // namespace detail

/// A route of a server, which the server has as long as this object lives. A coroutine of it that
/// has begun runs to its end.
using http_route = basic_route<http_handler>;

}  // namespace baton::BATON_VARIANT::components
