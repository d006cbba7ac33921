// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/asio_connect.hpp>
#include <baton/components/beast_websocket.hpp>
#include <baton/components/websocket_client.hpp>

namespace baton::components {

/// A WebSocket client over Boost.Beast.
///
/// Context  a worker whose loop is over `asio::poller`.
class beast_websocket_client final : public websocket_client {
 public:
  /// `patience` is for a connection to be opened.
  explicit beast_websocket_client(const websocket_limits& l = {}, tick patience = seconds(10))
      : limits_(l), patience_(patience) {}

  async::task<websocket_opened> connect(tcp_place to, std::string target, std::vector<http_header> headers) override {
    http_request what("GET", std::move(target));
    what.headers = std::move(headers);
    return open_within(limits_, patience_, std::move(to), std::move(what));
  }

 private:
  static async::task<websocket_opened> open_within(websocket_limits limits, tick patience, tcp_place to,
                                                   http_request what) {
    async::result<websocket_opened> got =
        co_await async::within(patience, open(limits, std::move(to), std::move(what)));
    if (got) co_return std::move(*got);
    websocket_opened none;
    none.ended = got.status();
    co_return none;
  }

  static async::task<websocket_opened> open(websocket_limits limits, tcp_place to, http_request what) {
    namespace ws = detail::ws;
    boost::asio::ip::tcp::socket s(asio::context());
    const boost::system::error_code none = co_await detail::connect(s, to);
    if (none) co_return refused(none, none.message());
    detail::websocket_stream opened((detail::websocket_socket(std::move(s))));
    opened.set_option(ws::stream_base::decorator([what](ws::request_type& r) {
      for (const http_header& h : what.headers) r.set(h.name, h.value);
    }));
    const bool has_colon = to.address.find(':') != std::string::npos;
    const std::string host = (has_colon ? "[" + to.address + "]" : to.address) + ":" + std::to_string(to.port);
    ws::response_type answer;
    auto [error] = co_await opened.async_handshake(answer, host, what.target, asio::use_baton);
    if (error == ws::error::upgrade_declined) {
      co_return refused(
          error, "the server has answered " + std::to_string(answer.result_int()) + " " + std::string(answer.reason()));
    }
    if (error) co_return refused(error, error.message());
    auto one = std::make_unique<detail::beast_websocket>(std::move(opened), std::move(what), limits);
    one->begin();
    websocket_opened all;
    all.connection = std::move(one);
    co_return all;
  }

  static websocket_opened refused(const boost::system::error_code& e, std::string why) {
    websocket_opened all;
    all.ended = e == status::cancelled ? status::cancelled : status::closed;
    all.why = std::move(why);
    return all;
  }

  const websocket_limits limits_;
  const tick patience_;
};

}  // namespace baton::components
