// SPDX-License-Identifier: MIT
#include <baton/components/beast_http_server.hpp>

#include "asio_listener.hpp"
#include "beast_http_session.hpp"

namespace baton::BATON_VARIANT::components {

/// The answer to a connection for which there is no place.
static constexpr std::string_view no_place =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

struct beast_http_server::state {
  state(service::context here, const http_limits& l, const detail::http_routes& r,
        const detail::route_table<websocket_handler>& w, const tcp_place& at)
      : core(l, r, w),
        door(here, at, detail::tls_protocol::http, l.connections, l.connections_per_peer),
        end(detail::drains_at_end(here, core, door, l.draining_time)) {}

  detail::beast_http_core core;
  detail::asio_listener door;
  service::registration end;
};

beast_http_server::beast_http_server(service::context here, const tcp_place& at, const http_limits& l)
    : state_(std::make_unique<state>(here, l, routes(), websockets(), at)) {
  detail::beast_http_core& core = state_->core;
  here.spawn(state_->door.accept({core.counts.turned_away, core.counts.not_accepted}, no_place,
                                 [&core](detail::tcp_link l, auto place) {
                                   return detail::beast_http_session::run(std::move(l), std::move(place), core);
                                 }));
}
beast_http_server::~beast_http_server() = default;

async::task<status> beast_http_server::drain(time_limit limit) {
  return async::with_frame(detail::drain(state_->core, state_->door, limit));
}
uint16_t beast_http_server::port() const {
  return state_->door.port();
}
http_counters beast_http_server::counters() const {
  return state_->core.counts;
}

}  // namespace baton::BATON_VARIANT::components
