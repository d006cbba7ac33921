// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_limits.hpp>
#include <baton/components/http_routes.hpp>
#include <baton/components/websocket_server.hpp>

namespace baton::BATON_VARIANT::components {

/// Answers HTTP requests with coroutines of services. An interface; `beast_http_server` implements
/// it.
///
///     struct greeter {
///       greeter(required<http_server> s, context here)
///           : page(s->route(here, "GET", "/", greet)) {}
///       static async::task<http_response> greet(http_request) {
///         co_return http_response(200, "Good morning.");
///       }
///       http_route page;
///     };
///
/// Context  its worker's thread.
class http_server {
 public:
  http_server(const http_server&) = delete;
  http_server& operator=(const http_server&) = delete;
  virtual ~http_server() = default;

  /// Lets `handler` answer the requests of this method for this path, as long as the route lives.
  /// GET's handler also answers HEAD, without the body. A segment of the path may be a parameter,
  /// as in "/users/{id}/orders": it stands for one segment that is not empty, and the request's
  /// `parameter("id")` has its text. A path without parameters is preferred, then the path whose
  /// first parameter comes later.
  ///
  /// Context  the coroutine belongs to `owner`, which stops and joins it before its own stop. An
  ///          exception of it is answered with 500, and is not a failure of the owner. While the
  ///          owner is not active the answer is 503.
  ///          A coroutine that takes longer than `answering_time` is stopped; the answer is 503.
  ///          One whose client has hung up is stopped, too: it is noticed a twentieth of a second
  ///          after the request. A client that ends its own stream has hung up. A response's stream
  ///          has no limit of time, and belongs to the owner as well.
  /// Cost     logarithmic in the number of paths; linear in the number of paths with parameters.
  /// Errors   std::invalid_argument: the path does not begin with '/', has a '?', or a parameter
  ///          without a name or beside other text; the method is empty; or there is such a route. A
  ///          request's query is not compared.
  http_route route(service::context owner, std::string method, std::string path, http_handler handler) {
    return http_route(routes_, std::move(method), std::move(path),
                      std::make_shared<detail::http_target>(owner, detail::http_way{std::move(handler), {}}));
  }
  /// The same, for a handler that reads the body in pieces, while it comes: `streamed_body`, of
  /// http_body.hpp.
  http_route route(service::context owner, std::string method, std::string path, const streamed_body& handler);

  /// Lets `handler` serve the WebSockets of this path, which may have parameters, as long as the
  /// route lives. `websocket::request` has them. The path may have other routes, too; a GET that
  /// asks for no WebSocket is answered by its route, or with 426.
  ///
  /// Context  as `websocket_server::route`. A page's origin has to be one of `origins`.
  /// Errors   as `route`.
  websocket_route websocket(service::context owner, std::string path, websocket_handler handler) {
    return websocket_route(websockets_, "GET", std::move(path),
                           std::make_shared<detail::route_target<websocket_handler>>(owner, std::move(handler)));
  }

  /// For co_await: accepts no further connection, closes those that wait for a request, and answers
  /// the requests that come in with `Connection: close`. Waits until no connection is left.
  ///
  ///     co_await server->drain(10_s);
  ///     here.quit();
  ///
  /// Context  it cannot be undone. A stream or a handler that has no end takes the whole limit; the
  ///          server's stop ends it.
  /// Errors   `timed_out`: connections are left, and go on. `cancelled`.
  virtual async::task<status> drain(time_limit limit = forever) = 0;

  /// The port that the server listens at.
  virtual uint16_t port() const = 0;
  virtual http_counters counters() const = 0;

 protected:
  http_server()
      : routes_(std::make_shared<detail::http_routes>()),
        websockets_(std::make_shared<detail::route_table<websocket_handler>>()) {}
  const detail::http_routes& routes() const noexcept { return *routes_; }
  const detail::route_table<websocket_handler>& websockets() const noexcept { return *websockets_; }

 private:
  std::shared_ptr<detail::http_routes> routes_;
  std::shared_ptr<detail::route_table<websocket_handler>> websockets_;
};

}  // namespace baton::BATON_VARIANT::components
