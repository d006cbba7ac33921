// SPDX-License-Identifier: MIT
#pragma once

#include "network.hpp"
#include "websocket_cases.hpp"
#include "websocket_wire.hpp"

/// Plays the cases, on either side of a connection.
namespace websocket_cases {

namespace async = baton::async;

/// The tester's side of a connection that is open.
struct tester {
  /// `is_client`: the server is tested.
  tester(baton::components::tcp_connection& c, bool is_client, const agreement& a);

  async::task<> write(std::string bytes);
  /// Reads until so many answers are there, or the close.
  async::task<> read(size_t answers);
  async::task<> read_to_end();
  bool is_over() const { return has_ended || !in.fault.empty(); }

  baton::components::tcp_connection& to;
  const bool masks;
  wire_reader in;
  deflater deflates;
  bool has_ended = false;

 private:
  async::task<> read_some();
};

/// Plays a case to the end of its connection. Returns what is wrong; empty: nothing.
async::task<std::string> play(tester& by, const dialogue& c);
async::task<std::string> play(tester& by, const stream& s);

}  // namespace websocket_cases
