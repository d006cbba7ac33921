// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/components/tcp_connection.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "asio_socket.hpp"
#include "tcp_link.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// A connection over a socket of Asio. The destructor closes it.
class asio_tcp_connection final : public tcp_connection {
 public:
  asio_tcp_connection(tcp_link l, const tcp_times& t) : link_(std::move(l)), times_(t) {}
  ~asio_tcp_connection() override { link_.close(); }  // the end of the writing may be on its way

  async::task<tcp_result> read_some(std::span<char> to) override { return async::with_frame(read_some_to(to)); }
  async::task<tcp_result> read(std::span<char> to) override { return async::with_frame(read_to(to)); }
  async::task<tcp_result> write(std::string_view what) override { return async::with_frame(write_all(what)); }
  void end_writing() override { link_.end_writing(); }
  std::string peer() const override { return peer_of(link_); }

  /// Ends a secured connection, whose other side would otherwise miss the end.
  async::task<> end() {
    static_cast<void>(co_await async::within(times_.writing, link_.async_end_writing(asio::use_baton)));
  }
  bool is_secured() const noexcept { return link_.is_secured(); }

 private:
  async::task<tcp_result> read_some_to(std::span<char> to) {
    const boost::asio::mutable_buffer place(to.data(), to.size());
    auto [error, bytes] = co_await async::within(times_.reading, link_.async_read_some(place, asio::use_baton));
    co_return tcp_result{ended_by(error), bytes};
  }
  async::task<tcp_result> read_to(std::span<char> to) {
    const boost::asio::mutable_buffer place(to.data(), to.size());
    auto [error, bytes] =
        co_await async::within(times_.reading, boost::asio::async_read(link_, place, asio::use_baton));
    co_return tcp_result{ended_by(error), bytes};
  }
  async::task<tcp_result> write_all(std::string_view what) {
    const boost::asio::const_buffer place(what.data(), what.size());
    auto [error, bytes] =
        co_await async::within(times_.writing, boost::asio::async_write(link_, place, asio::use_baton));
    // A record that is sent in part cannot be followed by another.
    if (error && link_.is_secured()) link_.close();
    co_return tcp_result{ended_by(error), bytes};
  }

  status ended_by(const boost::system::error_code& e) const {
    if (!e) return status::ok;
    if (e == status::timed_out) return status::timed_out;
    if (link_.is_truncation(e)) return status::truncated;
    return e == status::cancelled ? status::cancelled : status::closed;
  }

  tcp_link link_;
  const tcp_times times_;
};

}  // namespace baton::BATON_VARIANT::components::detail
