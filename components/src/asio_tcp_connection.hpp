// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/components/tcp_connection.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "asio_socket.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// A connection over a socket of Asio. The destructor closes it.
class asio_tcp_connection final : public tcp_connection {
 public:
  using socket = boost::asio::ip::tcp::socket;

  asio_tcp_connection(socket s, const tcp_times& t) : socket_(std::move(s)), times_(t) {}

  async::task<tcp_result> read_some(std::span<char> to) override { return async::with_frame(read_some_to(to)); }
  async::task<tcp_result> read(std::span<char> to) override { return async::with_frame(read_to(to)); }
  async::task<tcp_result> write(std::string_view what) override { return async::with_frame(write_all(what)); }
  void end_writing() override {
    boost::system::error_code ignored;
    socket_.shutdown(socket::shutdown_send, ignored);
  }
  std::string peer() const override { return peer_of(socket_); }

 private:
  async::task<tcp_result> read_some_to(std::span<char> to) {
    const boost::asio::mutable_buffer place(to.data(), to.size());
    auto [error, bytes] = co_await async::within(times_.reading, socket_.async_read_some(place, asio::use_baton));
    co_return tcp_result{ended_by(error), bytes};
  }
  async::task<tcp_result> read_to(std::span<char> to) {
    const boost::asio::mutable_buffer place(to.data(), to.size());
    auto [error, bytes] =
        co_await async::within(times_.reading, boost::asio::async_read(socket_, place, asio::use_baton));
    co_return tcp_result{ended_by(error), bytes};
  }
  async::task<tcp_result> write_all(std::string_view what) {
    const boost::asio::const_buffer place(what.data(), what.size());
    auto [error, bytes] =
        co_await async::within(times_.writing, boost::asio::async_write(socket_, place, asio::use_baton));
    co_return tcp_result{ended_by(error), bytes};
  }

  static status ended_by(const boost::system::error_code& e) {
    if (!e) return status::ok;
    if (e == status::timed_out) return status::timed_out;
    return e == status::cancelled ? status::cancelled : status::closed;
  }

  socket socket_;
  const tcp_times times_;
};

}  // namespace baton::BATON_VARIANT::components::detail
