// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/async_result.hpp>
#include <memory>
#include <string_view>

#include "secure_layer.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// A TCP connection, with TLS or without: the stream that Asio's and Beast's functions read and
/// write.
///
/// Shape    a socket, or a secure layer that has the socket.
/// Cost     without TLS, that of the socket and a test of a pointer.
/// Source   Boost.Asio, requirements AsyncReadStream and AsyncWriteStream.
class tcp_link {
 public:
  using socket = boost::asio::ip::tcp::socket;
  using executor_type = socket::executor_type;
  using error_code = boost::system::error_code;

  explicit tcp_link(socket s) : plain_(std::move(s)) {}
  explicit tcp_link(std::shared_ptr<secure_layer> l) : plain_(l->next_layer().get_executor()), layer_(std::move(l)) {}

  bool is_secured() const noexcept { return layer_ != nullptr; }
  socket& next_layer() noexcept { return layer_ ? layer_->next_layer() : plain_; }
  const socket& next_layer() const noexcept { return layer_ ? layer_->next_layer() : plain_; }
  executor_type get_executor() { return plain_.get_executor(); }

  template <typename Buffers, typename Token>
  auto async_read_some(const Buffers& to, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code, size_t)>(reading{this}, token, to);
  }
  template <typename Buffers, typename Token>
  auto async_write_some(const Buffers& from, Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code, size_t)>(writing{this}, token, from);
  }
  /// For a secured connection.
  template <typename Token>
  auto async_handshake(Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code)>(handshaking{this}, token);
  }
  template <typename Token>
  auto async_end_writing(Token&& token) {
    return boost::asio::async_initiate<Token, void(error_code)>(ending{this}, token);
  }

  /// Ends the stream to the other side, without a wait.
  void end_writing() {
    error_code ignored;
    if (!layer_) {
      plain_.shutdown(socket::shutdown_send, ignored);
      return;
    }
    layer_->end_writing([until_then = layer_](error_code) {});
  }
  /// Writes as much as the system accepts at once.
  void write_now(boost::asio::const_buffer from) {
    error_code ignored;
    if (layer_) return layer_->write_now(from);
    plain_.non_blocking(true, ignored);
    plain_.write_some(from, ignored);
  }
  /// Writes as much as the system accepts at once, and returns the number of bytes. With TLS it
  /// writes nothing.
  size_t try_write(boost::asio::const_buffer from, error_code& e) {
    if (layer_) return 0;
    if (!plain_.non_blocking()) plain_.non_blocking(true, e);
    const size_t bytes = e ? 0 : plain_.write_some(from, e);
    if (e == boost::asio::error::would_block) e = {};
    return bytes;
  }
  void close() {
    error_code ignored;
    next_layer().close(ignored);
  }

  bool is_truncation(const error_code& e) const { return layer_ && layer_->is_truncation(e); }
  std::string why(const error_code& e) const { return layer_ ? layer_->why(e) : e.message(); }

 private:
  /// The bytes of a record of TLS.
  static constexpr size_t record = 16384;

  struct reading {
    template <typename Handler, typename Buffers>
    void operator()(Handler&& h, const Buffers& to) const {
      if (!of->layer_) return of->plain_.async_read_some(to, std::forward<Handler>(h));
      of->layer_->read_some(first_of<boost::asio::mutable_buffer>(to), std::forward<Handler>(h));
    }
    tcp_link* of;
  };
  struct writing {
    template <typename Handler, typename Buffers>
    void operator()(Handler&& h, const Buffers& from) const {
      if (!of->layer_) return of->plain_.async_write_some(from, std::forward<Handler>(h));
      of->layer_->write_some(of->record_of(from), std::forward<Handler>(h));
    }
    tcp_link* of;
  };
  struct handshaking {
    template <typename Handler>
    void operator()(Handler&& h) const {
      of->layer_->handshake(std::forward<Handler>(h));
    }
    tcp_link* of;
  };
  struct ending {
    template <typename Handler>
    void operator()(Handler&& h) const {
      of->layer_->end_writing(std::forward<Handler>(h));
    }
    tcp_link* of;
  };

  template <typename Buffer, typename Buffers>
  static Buffer first_of(const Buffers& all) {
    const auto end = boost::asio::buffer_sequence_end(all);
    for (auto at = boost::asio::buffer_sequence_begin(all); at != end; ++at) {
      const Buffer one(*at);
      if (one.size() != 0) return one;
    }
    return {};
  }
  /// The bytes that are written at once: a head and a body in several buffers become one record.
  template <typename Buffers>
  boost::asio::const_buffer record_of(const Buffers& all) {
    const auto first = first_of<boost::asio::const_buffer>(all);
    const size_t bytes = boost::asio::buffer_size(all);
    if (first.size() == bytes || first.size() >= record) return first;
    layer_->gathered.resize(bytes < record ? bytes : record);
    boost::asio::buffer_copy(boost::asio::buffer(layer_->gathered), all);
    return boost::asio::buffer(layer_->gathered);
  }

  socket plain_;
  std::shared_ptr<secure_layer> layer_;
};

}  // namespace baton::BATON_VARIANT::components::detail
