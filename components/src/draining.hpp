// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/with_frame.hpp>
#include <baton/service/context.hpp>
#include <baton/service/program_events.hpp>

#include "asio_listener.hpp"

/// The end of a server's connections in order.
namespace baton::BATON_VARIANT::components::detail {

/// The state of a drain, for a server and its connections.
struct draining {
  bool is_begun = false;
  async::manual_event begins;    // farewells wait for it
  async::manual_event all_left;  // set when no connection is left

  /// Called by a connection that has gone.
  void note_left(uint64_t open) {
    if (open == 0 && is_begun) all_left.set();
  }
};

/// Begins a drain, and waits until no connection is left. `Core` has the counts and the draining of
/// a server.
template <typename Core>
async::task<status> drain(Core& of, asio_listener& door, time_limit limit) {
  of.drains.is_begun = true;
  door.drain();
  of.drains.begins.set();
  if (of.counts.open == 0) co_return status::ok;
  of.drains.all_left.reset();
  co_return co_await async::within(limit, of.drains.all_left.wait());
}

/// Drains at the end of the program.
template <typename Core>
async::task<> drain_at_end(Core& of, asio_listener& door, duration limit) {
  static_cast<void>(co_await async::with_frame(drain(of, door, limit)));
}
template <typename Core>
service::registration drains_at_end(const service::context& here, Core& of, asio_listener& door, duration limit) {
  return here.on<service::program_ending>(
      [&of, &door, limit](const service::program_ending&) { return drain_at_end(of, door, limit); });
}

}  // namespace baton::BATON_VARIANT::components::detail
