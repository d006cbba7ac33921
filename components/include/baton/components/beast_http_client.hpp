// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/components/http_client.hpp>

namespace baton::BATON_VARIANT::components {

/// An HTTP/1.1 client over Boost.Beast.
///
/// Shape    one connection per request.
/// Context  a worker whose loop is over `asio::poller`.
class beast_http_client final : public http_client {
 public:
  explicit beast_http_client(const http_client_limits& l = {}) : limits_(l) {}

  async::task<http_reply> send(tcp_place to, http_request what) override;

 private:
  const http_client_limits limits_;
};

}  // namespace baton::BATON_VARIANT::components
