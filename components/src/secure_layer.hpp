// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/components/tcp_place.hpp>
#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <string>

/// TLS as the connections see it. It is virtual, so that a program without TLS links no library for
/// it: `baton::tls` has the implementation.
namespace baton::BATON_VARIANT::components::detail {

/// A socket, and the TLS on it.
///
/// Shape    on the heap, because the operations of Asio refer to it.
/// Context  one operation reads at a time, and one writes. The end of the writing counts as a
///          write.
class secure_layer {
 public:
  using socket = boost::asio::ip::tcp::socket;
  using error_code = boost::system::error_code;
  using when_done = boost::asio::any_completion_handler<void(error_code)>;
  using when_moved = boost::asio::any_completion_handler<void(error_code, size_t)>;

  explicit secure_layer(socket s) : socket_(std::move(s)) {}
  secure_layer(const secure_layer&) = delete;
  secure_layer& operator=(const secure_layer&) = delete;
  virtual ~secure_layer() = default;

  socket& next_layer() noexcept { return socket_; }
  const socket& next_layer() const noexcept { return socket_; }

  virtual void handshake(when_done done) = 0;
  virtual void read_some(boost::asio::mutable_buffer to, when_moved done) = 0;
  virtual void write_some(boost::asio::const_buffer from, when_moved done) = 0;
  /// Tells the other side that nothing more will come. What it sends can still be read.
  virtual void end_writing(when_done done) = 0;
  /// Writes as much as the system accepts at once.
  virtual void write_now(boost::asio::const_buffer from) = 0;

  /// True if the connection has ended, and the other side had not said so.
  virtual bool is_truncation(const error_code& e) const = 0;
  /// The reason for an error, in words.
  virtual std::string why(const error_code& e) const = 0;

  /// The bytes of a write of several buffers, which become one record.
  std::string gathered;

 private:
  socket socket_;
};

/// The protocol that is spoken over TLS, which the two sides agree on.
enum class tls_protocol : uint8_t { any, http };

/// Makes the secure layers of a `tls_server` or a `tls_client`.
///
/// Context  any thread.
class tls_maker {
 public:
  tls_maker() = default;
  tls_maker(const tls_maker&) = delete;
  tls_maker& operator=(const tls_maker&) = delete;
  virtual ~tls_maker() = default;

  virtual bool is_for_servers() const noexcept = 0;
  /// Puts TLS on a connected socket. `host` is the name or the address that a client expects.
  /// Errors   std::invalid_argument: a name that no certificate can have.
  virtual std::shared_ptr<secure_layer> secure(secure_layer::socket s, const std::string& host,
                                               tls_protocol p) const = 0;
};

}  // namespace baton::BATON_VARIANT::components::detail
