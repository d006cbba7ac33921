// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/components/http_limits.hpp>
#include <baton/components/http_server.hpp>

#include "draining.hpp"
#include "http_date.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// The state that all connections of a server share.
struct beast_http_core {
  beast_http_core(const http_limits& l, const http_routes& r, const route_table<websocket_handler>& w)
      : limits(l), routes(&r), websockets(&w) {}

  const http_limits limits;
  http_counters counts;
  const http_routes* const routes;
  const route_table<websocket_handler>* const websockets;
  http_date date;
  draining drains;
};

/// Counts a connection as long as it lives.
struct open_connection {
  explicit open_connection(beast_http_core& c) : of(c) {
    ++of.counts.connections;
    ++of.counts.open;
  }
  open_connection(const open_connection&) = delete;
  open_connection& operator=(const open_connection&) = delete;
  ~open_connection() { of.drains.note_left(--of.counts.open); }
  beast_http_core& of;
};

}  // namespace baton::BATON_VARIANT::components::detail
