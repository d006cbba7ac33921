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

/// The common parts of the tests of the network.
namespace network_test {

using namespace baton::service;
using namespace baton::components;
using baton::milliseconds;
using baton::seconds;
using baton::status;
namespace async = baton::async;

/// Keeps the poller until the program is destroyed, because connections are closed over it.
struct over_asio {
  over_asio();
  std::shared_ptr<baton::asio::poller> io;
};

/// An application in real time, with servers and clients on the loopback interface. It keeps its
/// diagnostics.
struct program : over_asio, application {
  program();
  void serve_http(const http_limits& l = {}, const tcp_place& at = tcp_place());
  void serve_tcp(const tcp_handler& serve, const tcp_limits& l = {}, const tcp_place& at = tcp_place());
  void add_clients(const http_client_limits& l = {}, const tcp_times& t = {});
  /// Runs over Asio's poller.
  int run();
  std::string told;
};

/// Runs a script when the services that it uses have started, and then ends the program.
template <typename... Used>
struct driver {
  using script = std::function<async::task<>(Used&...)>;

  driver(required<Used>... all, context here, script s) { here.spawn(run(here, std::move(s), all...)); }

  static async::task<> run(context here, script s, required<Used>... all) {
    co_await s(*all...);
    here.quit();
  }
};

/// Sends a text, and returns the answer up to the other side's end. "timed_out" is appended if
/// there is no end.
async::task<std::string> exchange(tcp_client& by, uint16_t port, std::string text, bool ends_writing = false);

/// The first lines of the responses in a text, without their versions: "200 OK|404 Not Found".
std::string answers_in(const std::string& text);

/// Checks the sums that hold whenever no connection is open.
void check_sums(const http_counters& n);

}  // namespace network_test
