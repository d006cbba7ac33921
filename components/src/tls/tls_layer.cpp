// SPDX-License-Identifier: MIT
#include "tls_layer.hpp"

#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <new>
#include <openssl/err.h>
#include <openssl/x509.h>

namespace baton::BATON_VARIANT::components::detail {

namespace ssl = boost::asio::ssl;

/// TLS by Asio's stream, which moves the bytes between OpenSSL and the socket.
class tls_layer final : public secure_layer {
 public:
  tls_layer(socket s, tls_session t, bool is_server)
      : secure_layer(std::move(s)),
        session_(t.get()),
        stream_(next_layer(), t.release()),
        side_(is_server ? ssl::stream_base::server : ssl::stream_base::client) {}

  void handshake(when_done done) override { stream_.async_handshake(side_, std::move(done)); }
  void read_some(boost::asio::mutable_buffer to, when_moved done) override {
    stream_.async_read_some(to, std::move(done));
  }
  void write_some(boost::asio::const_buffer from, when_moved done) override {
    stream_.async_write_some(from, std::move(done));
  }

  /// Asio's function waits for the other side's end, too, and drops what that sends before it. With
  /// the mark that the end has come, OpenSSL only sends its own. Asio calls OpenSSL before it
  /// returns.
  void end_writing(when_done done) override {
    const int before = SSL_get_shutdown(session_);
    SSL_set_shutdown(session_, before | SSL_RECEIVED_SHUTDOWN);
    stream_.async_shutdown(std::move(done));
    SSL_set_shutdown(session_, before | SSL_SENT_SHUTDOWN);
  }
  void write_now(boost::asio::const_buffer from) override {
    error_code ignored;
    next_layer().non_blocking(true, ignored);
    stream_.write_some(from, ignored);
  }

  bool is_truncation(const error_code& e) const override { return e == ssl::error::stream_truncated; }
  std::string why(const error_code& e) const override {
    if (e.category() != boost::asio::error::get_ssl_category()) return e.message();
    const long verified = SSL_get_verify_result(session_);
    if (SSL_get_verify_mode(session_) != SSL_VERIFY_NONE && verified != X509_V_OK) {
      return X509_verify_cert_error_string(verified);
    }
    const char* const reason = ERR_reason_error_string(static_cast<unsigned int>(e.value()));
    return reason ? reason : e.message();
  }

 private:
  SSL* const session_;  // the stream's
  ssl::stream<socket&> stream_;
  const ssl::stream_base::handshake_type side_;
};

tls_session new_tls_session(const tls_context& c) {
  tls_session s(SSL_new(c.get()));
  if (!s) throw std::bad_alloc();
  return s;
}

std::shared_ptr<secure_layer> new_tls_layer(secure_layer::socket s, tls_session t, bool is_server) {
  return std::make_shared<tls_layer>(std::move(s), std::move(t), is_server);
}

}  // namespace baton::BATON_VARIANT::components::detail
