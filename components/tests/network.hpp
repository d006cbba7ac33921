// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/components/http_client.hpp>
#include <baton/components/http_server.hpp>
#include <baton/components/tcp_client.hpp>
#include <baton/components/tcp_server.hpp>
#include <baton/service.hpp>
#include <doctest/doctest.h>
#include <functional>
#include <memory>

/// What the tests of the network have in common.
namespace network_test {

using namespace baton::service;
using namespace baton::components;
using baton::milliseconds;
using baton::seconds;
using baton::status;
namespace async = baton::async;

/// What connections may be closed over, as long as the program is there.
struct over_asio {
  over_asio();
  std::shared_ptr<baton::asio::poller> io;
};

/// An application in real time, with servers and clients on the loopback interface, which keeps what it tells.
struct program : over_asio, application {
  program();
  void serve_http(const http_limits& l = {}, const tcp_place& at = tcp_place());
  void serve_tcp(const tcp_handler& serve, const tcp_limits& l = {}, const tcp_place& at = tcp_place());
  void add_clients(const http_client_limits& l = {}, const tcp_times& t = {});
  /// Over Asio's poller.
  int run();
  std::string told;
};

/// Runs a script when what it uses has started, and then ends the program.
template <typename... Used>
struct driver {
  using script = std::function<async::task<>(Used&...)>;

  driver(required<Used>... all, context here, script s) { here.spawn(run(here, std::move(s), all...)); }

  static async::task<> run(context here, script s, required<Used>... all) {
    co_await s(*all...);
    here.quit();
  }
};

/// Sends a text, and gives what comes back until the other side hangs up. "timed_out" is said at the end, should it not.
async::task<std::string> exchange(tcp_client& by, uint16_t port, std::string text, bool ends_writing = false);

/// The first line of each response in a text, without its version: "200 OK|404 Not Found".
std::string answers_in(const std::string& text);

/// What holds of the counters whenever no connection is open.
void check_sums(const http_counters& n);

}  // namespace network_test
