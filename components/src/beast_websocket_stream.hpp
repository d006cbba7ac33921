// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "tcp_link.hpp"
#include "websocket_extensions.hpp"

/// Boost.Beast's WebSocket in the form that the connections use.
namespace baton::BATON_VARIANT::components::detail {

namespace ws = boost::beast::websocket;

/// A connection that counts its reads. Beast begins the next read when the last one has brought
/// bytes.
class websocket_link : public tcp_link {
 public:
  explicit websocket_link(tcp_link l) : tcp_link(std::move(l)) {}

  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& to, Token&& token) {
    ++reads_;
    return tcp_link::async_read_some(to, std::forward<Token>(token));
  }
  uint64_t reads() const noexcept { return reads_; }

 private:
  uint64_t reads_ = 0;
};

/// Replaces Beast's teardown, which would wait without end for the other side to hang up. The
/// coroutine that reads does that afterwards, with a deadline.
/// Source   Boost.Beast, WebSocket, customization points.
template <typename Handler>
void async_teardown(boost::beast::role_type, websocket_link& l, Handler&& done) {
  boost::asio::post(l.get_executor(),
                    boost::beast::bind_front_handler(std::forward<Handler>(done), boost::system::error_code()));
}

using websocket_stream = ws::stream<websocket_link, true>;

/// Makes a stream. Beast keeps a stream whose timer it could not make in a list, so Asio makes what
/// the first timer of a program needs before.
inline websocket_stream stream_over(tcp_link l) {
  const boost::asio::steady_timer first(l.get_executor());
  return websocket_stream(websocket_link(std::move(l)));
}

/// Sets whether a connection that is about to open offers compression, or accepts it.
inline void set_compression(websocket_stream& s, bool compresses) {
  ws::permessage_deflate how;
  how.server_enable = compresses;
  how.client_enable = compresses;
  s.set_option(how);
}

/// The extensions that a head names, in all of its headers.
inline std::string extensions_in(const boost::beast::http::fields& head) {
  std::string all;
  const auto range = head.equal_range(boost::beast::http::field::sec_websocket_extensions);
  for (auto at = range.first; at != range.second; ++at) all += std::string(at->value()) + ",";
  return all;
}

/// Leaves of a client's offers the one that the server keeps.
inline void leave_one_offer(boost::beast::http::fields& head) {
  const std::string kept = offer_to_keep(extensions_in(head));
  head.erase(boost::beast::http::field::sec_websocket_extensions);
  if (!kept.empty()) head.set(boost::beast::http::field::sec_websocket_extensions, kept);
}

}  // namespace baton::BATON_VARIANT::components::detail
