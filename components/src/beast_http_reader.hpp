// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/essentials.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/components/http_limits.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <optional>

#include "http_framing.hpp"
#include "tcp_link.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// Reads the requests of a connection. What has come is parsed without a wait.
///
/// Shape    a buffer of the header's limit, and the parser of the request that is read.
class beast_http_reader {
 public:
  using error_code = boost::system::error_code;
  using parser = http::request_parser<http::string_body>;

  beast_http_reader(tcp_link& from, const http_limits& l) : link_(from), limits_(l), buffer_(l.header_bytes + 4096) {}

  std::string_view unread() const noexcept {
    return {static_cast<const char*>(buffer_.cdata().data()), buffer_.cdata().size()};
  }
  void skip(size_t bytes) { buffer_.consume(bytes); }

  /// Reads ahead, in between requests.
  async::task<error_code> read_some(time_limit limit) { return read(limit, most_ahead); }

  /// Begins a request.
  parser& begin() {
    parser& p = parser_.emplace();
    p.header_limit(limits_.header_bytes);
    p.body_limit(boost::none);  // set when the route is known
    p.on_chunk_header(check_chunk);
    return p;
  }
  void end() noexcept { parser_.reset(); }
  /// Hands the parser over, which has parsed the head: another one goes on with the body.
  parser&& take_parser() noexcept { return std::move(*parser_); }

  /// Parses what has been read, up to the end of the header or of the body, and counts its bytes.
  /// Errors   need_more: nothing is left to parse.
  error_code parse(size_t& bytes) { return parse(*parser_, bytes); }
  template <typename Parser>
  error_code parse(Parser& by, size_t& bytes) {
    error_code error;
    if (buffer_.size() == 0) return http::error::need_more;
    const size_t taken = by.put(buffer_.data(), error);
    buffer_.consume(taken);
    bytes += taken;
    return error;
  }

  /// Reads more of a request. Its client's end is an error.
  async::task<error_code> read_on(time_limit limit) {
    if (buffer_.size() == buffer_.max_size()) co_return http::error::buffer_overflow;
    const error_code error = co_await async::with_frame(read(limit, buffer_.max_size()));
    co_return error == boost::asio::error::eof ? error_code(http::error::partial_message) : error;
  }

  /// Reads ahead until the client has ended its stream, which is true, or until enough has come, or
  /// a stop.
  async::task<bool> notice_end() {
    while (unread().size() < limits_.header_bytes) {
      const error_code error = co_await async::with_frame(read_some(forever));
      if (error == status::cancelled) co_return false;
      if (error) co_return true;
    }
    co_return false;
  }

 private:
  static constexpr size_t most_ahead = 2048;

  async::task<error_code> read(time_limit limit, size_t most) {
    const size_t room = buffer_.max_size() - buffer_.size();
    const boost::asio::mutable_buffer to = buffer_.prepare(room < most ? room : most);
    auto [error, bytes] = co_await async::within(limit, link_.async_read_some(to, asio::use_baton));
    buffer_.commit(bytes);
    co_return error;
  }

  tcp_link& link_;
  const http_limits& limits_;
  boost::beast::flat_buffer buffer_;
  std::optional<parser> parser_;
};

}  // namespace baton::BATON_VARIANT::components::detail
