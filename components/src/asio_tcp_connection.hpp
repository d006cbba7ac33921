// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/components/tcp_connection.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "asio_socket.hpp"
#include "connection_places.hpp"
#include "tcp_link.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// A connection over a socket of Asio. The destructor closes it.
///
/// Shape    one with a place is idle there while it waits for bytes and writes none. It is closed
///          when it has to give way, and its waits end with `closed`.
class asio_tcp_connection final : public tcp_connection, private connection_place::holder {
 public:
  asio_tcp_connection(tcp_link l, const tcp_times& t, connection_place* p = nullptr)
      : link_(std::move(l)), times_(t), place_(p) {
    if (!place_) return;
    place_->hold(*this);
    note_use();
  }
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
  bool has_given_way() const noexcept { return has_given_way_; }

 private:
  /// A read or a write that waits, as long as it lives.
  struct waiting {
    waiting(asio_tcp_connection& c, uint32_t& n) : of(c), count(n) {
      ++count;
      of.note_use();
    }
    waiting(const waiting&) = delete;
    ~waiting() {
      --count;
      of.note_use();
    }
    asio_tcp_connection& of;
    uint32_t& count;
  };
  void note_use() noexcept {
    if (place_) place_->become(reads_ != 0 && writes_ == 0 ? place_use::idle : place_use::busy);
  }
  /// Called when a read that waits for more has got some of its bytes.
  void note_progress() noexcept {
    if (place_ && writes_ == 0) place_->become(place_use::reading);
  }
  void give_way() override {
    has_given_way_ = true;
    link_.close();
  }

  async::task<tcp_result> read_some_to(std::span<char> to) {
    const waiting w(*this, reads_);
    const boost::asio::mutable_buffer place(to.data(), to.size());
    auto [error, bytes] = co_await async::within(times_.reading, link_.async_read_some(place, asio::use_baton));
    co_return tcp_result{ended_by(error), bytes};
  }
  async::task<tcp_result> read_to(std::span<char> to) {
    const waiting w(*this, reads_);
    const boost::asio::mutable_buffer place(to.data(), to.size());
    const auto until_full = [this](const boost::system::error_code& e, size_t got) {
      if (got != 0) note_progress();
      return boost::asio::transfer_all()(e, got);
    };
    auto [error, bytes] =
        co_await async::within(times_.reading, boost::asio::async_read(link_, place, until_full, asio::use_baton));
    co_return tcp_result{ended_by(error), bytes};
  }
  async::task<tcp_result> write_all(std::string_view what) {
    const waiting w(*this, writes_);
    const boost::asio::const_buffer place(what.data(), what.size());
    auto [error, bytes] =
        co_await async::within(times_.writing, boost::asio::async_write(link_, place, asio::use_baton));
    // A record that is sent in part cannot be followed by another.
    if (error && link_.is_secured()) link_.close();
    co_return tcp_result{ended_by(error), bytes};
  }

  status ended_by(const boost::system::error_code& e) const {
    if (!e) return status::ok;
    if (has_given_way_) return status::closed;
    if (e == status::timed_out) return status::timed_out;
    if (link_.is_truncation(e)) return status::truncated;
    return e == status::cancelled ? status::cancelled : status::closed;
  }

  tcp_link link_;
  const tcp_times times_;
  connection_place* const place_;
  uint32_t reads_ = 0;
  uint32_t writes_ = 0;
  bool has_given_way_ = false;
};

}  // namespace baton::BATON_VARIANT::components::detail
