// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/websocket_client.hpp>
#include <baton/components/websocket_server.hpp>

#include "network.hpp"

/// The common parts of the tests of WebSockets.
namespace network_test {

void serve_websockets(program& by, const websocket_server_limits& l = {}, const tcp_place& at = tcp_place());
void add_websocket_clients(program& by, const websocket_limits& l = {}, baton::duration patience = seconds(10));

/// A request that opens a WebSocket, with further headers.
std::string opening(const std::string& target, const std::string& more = "");

/// A frame as a client sends it, and as a server does.
///
/// Units    `first` is the first byte: 0x80 for the last fragment, plus the kind: 0 continuation, 1
///          text, 2 binary, 8 close, 9 ping, 10 pong.
std::string masked_frame(unsigned first, const std::string& payload);
std::string plain_frame(unsigned first, const std::string& payload);

/// A client that writes and reads raw bytes.
struct raw_client {
  /// Opens a WebSocket: "101", or the server's other answer, or the way that it ended.
  async::task<std::string> open(tcp_client& by, uint16_t port, std::string target, std::string more = "");
  async::task<> write(std::string bytes);
  /// Reads so many bytes, or fewer and the way that the connection ended.
  async::task<std::string> read(size_t bytes);
  /// Reads to the other side's end.
  async::task<std::string> rest();

  tcp_opened to;
};

/// Checks the sums that hold whenever no connection is open.
void check_sums(const websocket_counters& n);

/// Waits until a server has `n` connections.
async::task<> wait_until_open(websocket_server& s, uint64_t n);

}  // namespace network_test
