// SPDX-License-Identifier: MIT
#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <optional>

#include "house.hpp"

namespace http_floor {

/// One connection, by callbacks. The operation that it waits for holds it.
class session final : public guest, public boost::intrusive_ref_counter<session, boost::thread_unsafe_counter> {
 public:
  session(socket s, house& h, const net::ip::address& peer)
      : guest(peer), socket_(std::move(s)), house_(h), buffer_(h.rules.header_bytes + 4096) {
    house_.enter(*this);
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() override { house_.leave(*this); }

  /// Waits for a request.
  void next() {
    house_.become(*this, stage::idle, house_.rules.idle_time);
    parser_.emplace();
    parser_->header_limit(house_.rules.header_bytes);
    parser_->body_limit(house_.rules.body_bytes);
    parser_->on_chunk_header(check_);
    header_bytes_ = 0;
    is_judged_ = false;
    begin();
  }

  /// Sends the answer, unless it comes too late.
  void answer(response&& r) {
    if (house::stage_of(*this) == stage::answering) send(std::move(r));
  }
  /// Sends an answer of unknown length. In HTTP/1.0 the connection's end is its end.
  void answer(response&& r, std::vector<std::string> pieces) {
    if (house::stage_of(*this) != stage::answering) return;
    is_chunked_ = version_ == 11;
    keeps_ = keeps_ && is_chunked_;
    begin_answer(std::move(r));
    if (is_chunked_) response_->chunked(true);
    pieces_ = std::move(pieces);
    send_head([self = reply(this)](boost::system::error_code e, size_t) { self->send_piece(e, 0); });
  }

  void expire() override {
    switch (house::stage_of(*this)) {
      case stage::reading:
        is_slow_ = true;
        socket_.cancel(ignored_);
        return;
      case stage::answering:
        return send(made(503, "This is not available.\n"));
      default:
        socket_.close(ignored_);
    }
  }
  void give_way() override { socket_.close(ignored_); }

  static response made(unsigned status, std::string body) {
    response r;
    r.result(status);
    r.set(http::field::content_type, "text/plain; charset=utf-8");
    r.body() = std::move(body);
    return r;
  }

 private:
  using error_code = boost::system::error_code;
  using parser = http::request_parser<http::string_body>;

  /// Skips the line ends before a request.
  void begin() {
    for (;;) {
      const text got(static_cast<const char*>(buffer_.data().data()), buffer_.size());
      if (got.empty() || got == "\r") return read();
      if (!got.starts_with("\r\n")) break;
      buffer_.consume(2);
    }
    house_.become(*this, stage::reading, house_.rules.reading_time);
    parse();
  }
  void read() {
    const size_t room = buffer_.max_size() - buffer_.size();
    if (room == 0) return refuse(431);
    socket_.async_read_some(buffer_.prepare(room < 2048 ? room : 2048),
                            [self = reply(this)](error_code e, size_t bytes) { self->take(e, bytes); });
  }
  void take(error_code e, size_t bytes) {
    buffer_.commit(bytes);
    if (is_slow_) return refuse(408);
    const bool is_idle = house::stage_of(*this) == stage::idle;
    if (e == net::error::eof && !is_idle) return refuse(400);
    if (e) return;
    is_idle ? begin() : parse();
  }
  void parse() {
    for (;;) {
      if (buffer_.size() == 0) return read();
      error_code e;
      const size_t bytes = parser_->put(buffer_.data(), e);
      buffer_.consume(bytes);
      if (e == http::error::need_more) return read();
      if (e) return refuse(status_for(e));
      if (!is_judged_) header_bytes_ += bytes;
      if (!is_judged_ && parser_->is_header_done()) {
        is_judged_ = true;
        if (!accepts()) return;
      }
      if (parser_->is_done()) return dispatch();
    }
  }
  static unsigned status_for(error_code e) {
    if (e == http::error::header_limit || e == http::error::buffer_overflow) return 431;
    return e == http::error::body_limit ? 413 : 400;
  }

  /// Decides by the head. False: the request goes on elsewhere.
  bool accepts() {
    if (header_bytes_ > house_.rules.header_bytes) return refuse(431), false;
    auto& r = parser_->get();
    const verdict found = judge(r, house_.rules);
    version_ = r.version();
    is_head_ = r.method() == http::verb::head;
    keeps_ = found.keeps;
    if (found.status != 0) return refuse(found.status), false;
    target_ = found.target;
    if (found.is_absolute || found.has_coding) {
      own_target_ = (found.target.front() == '?' ? "/" : "") + std::string(found.target);
      target_ = own_target_;
    }
    if (found.is_absolute) r.set(http::field::host, std::string(found.host));
    if (found.has_coding) head_ = r.base();  // Beast appends the trailers to the headers
    if (!found.expects || parser_->is_done()) return true;
    static constexpr text go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    net::async_write(socket_, net::const_buffer(go_on.data(), go_on.size()),
                     [self = reply(this)](error_code e, size_t) {
                       if (!e) self->parse();
                     });
    return false;
  }

  void dispatch() {
    house_.become(*this, stage::answering, house_.rules.answering_time);
    request& r = parser_->get();
    if (head_) {
      r.base() = std::move(*head_);
      head_.reset();
    }
    if (target_ == "*") return send(made(204, {}));
    const auto known = house_.routes.find(target_.substr(0, target_.find('?')));
    if (known == house_.routes.end()) return send(made(404, "There is no such page.\n"));
    auto to = known->second.find(view(r.method_string()));
    if (to == known->second.end() && is_head_) to = known->second.find("GET");
    if (to == known->second.end()) return send(refused_method(known->second));
    if (view(r.target()) != target_) r.target(std::string(target_));
    to->second(r, reply(this));
  }
  static response refused_method(const methods& known) {
    std::string names;
    for (const auto& [name, ignored] : known) {
      names += (names.empty() ? "" : ", ") + name;
      if (name == "GET" && known.count("HEAD") == 0) names += ", HEAD";
    }
    response r = made(405, "The method is not allowed.\n");
    r.set("Allow", names);
    return r;
  }

  void refuse(unsigned status) {
    keeps_ = false;
    send(made(status, "This is refused.\n"));
  }

  void begin_answer(response&& r) {
    house_.become(*this, stage::writing, house_.rules.writing_time);
    response_ = std::move(r);
    response_->keep_alive(keeps_);
    if (keeps_ && version_ < 11) response_->set(http::field::connection, "keep-alive");
    response_->set(http::field::date, house_.date());
  }
  void send(response&& r) {
    begin_answer(std::move(r));
    const unsigned status = response_->result_int();
    const bool has_body = status != 204 && status != 304;
    if (has_body) response_->prepare_payload();
    if (!has_body) response_->erase(http::field::content_type);
    auto then = [self = reply(this)](error_code e, size_t) { self->end_answer(e); };
    if (is_head_ && has_body) return send_head(std::move(then));
    http::async_write(socket_, *response_, std::move(then));
  }
  template <typename Then>
  void send_head(Then then) {
    serializer_.emplace(*response_);
    http::async_write_header(socket_, *serializer_, std::move(then));
  }
  void send_piece(error_code e, size_t number) {
    if (e || is_head_ || number > pieces_.size()) return end_answer(e);
    house_.become(*this, stage::writing, house_.rules.writing_time);
    auto then = [self = reply(this), number](error_code f, size_t) { self->send_piece(f, number + 1); };
    const bool is_last = number == pieces_.size();
    if (is_last && !is_chunked_) return end_answer(e);
    if (is_last) return net::async_write(socket_, http::make_chunk_last(), std::move(then));
    const net::const_buffer piece = net::buffer(pieces_[number]);
    if (piece.size() == 0) return send_piece(e, number + 1);
    if (is_chunked_) return net::async_write(socket_, http::make_chunk(piece), std::move(then));
    net::async_write(socket_, piece, std::move(then));
  }
  void end_answer(error_code e) {
    if (e) return;
    if (keeps_) return next();
    socket_.shutdown(socket::shutdown_send, ignored_);
    house_.become(*this, stage::leaving, std::chrono::seconds(1));
    drop(1u << 20);
  }
  /// Takes what the client still sends, so that it gets the whole answer.
  void drop(size_t left) {
    buffer_.clear();
    socket_.async_read_some(buffer_.prepare(2048), [self = reply(this), left](error_code e, size_t bytes) {
      if (!e && bytes < left) self->drop(left - bytes);
    });
  }

  /// Refuses a chunk whose extension has a control character; others take one for a line's end.
  static void check_chunk(uint64_t, boost::beast::string_view extension, error_code& e) {
    for (const char c : extension) {
      if ((c >= 0 && c < ' ' && c != '\t') || c == 127) e = http::error::bad_chunk_extension;
    }
  }

  using checker = void (*)(uint64_t, boost::beast::string_view, error_code&);
  checker check_ = check_chunk;
  socket socket_;
  house& house_;
  boost::beast::flat_buffer buffer_;
  std::optional<parser> parser_;
  std::optional<http::request_header<>> head_;
  std::optional<response> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::vector<std::string> pieces_;
  text target_;
  std::string own_target_;
  size_t header_bytes_ = 0;
  unsigned version_ = 11;
  bool is_judged_ = false;
  bool is_head_ = false;
  bool keeps_ = false;
  bool is_chunked_ = false;
  bool is_slow_ = false;
  error_code ignored_;
};

}  // namespace http_floor
