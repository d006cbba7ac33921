// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_body.hpp>

#include "beast_http_reader.hpp"
#include "beast_http_sender.hpp"
#include "http_refusal.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// A body of Beast's that grows as it comes, whatever length its header says.
struct growing_body {
  using value_type = std::string;

  class reader {
   public:
    template <bool IsRequest, typename Fields>
    reader(http::header<IsRequest, Fields>&, std::string& b) : body_(b) {}

    void init(const boost::optional<uint64_t>&, boost::system::error_code& e) { e = {}; }
    template <typename Buffers>
    size_t put(const Buffers& from, boost::system::error_code& e) {
      e = {};
      const size_t before = body_.size();
      for (auto at = boost::asio::buffer_sequence_begin(from); at != boost::asio::buffer_sequence_end(from); ++at) {
        const boost::asio::const_buffer one(*at);
        body_.append(static_cast<const char*>(one.data()), one.size());
      }
      return body_.size() - before;
    }
    void finish(boost::system::error_code& e) { e = {}; }

   private:
    std::string& body_;
  };
};

/// Reads the body of a request in pieces, behind its head.
///
/// Shape    a piece is what has come, at most what the connection's buffer holds.
class beast_body_reader {
 public:
  using error_code = boost::system::error_code;

  /// `expects`: the client waits for 100 before it sends the body.
  beast_body_reader(beast_http_reader& from, beast_http_sender& answers, const http_body_limits& l, bool expects)
      : from_(from), answers_(answers), limits_(l), parser_(from.take_parser()), expects_(expects) {
    parser_.body_limit(l.bytes);
    parser_.on_chunk_header(check_chunk);
  }

  /// True if the length says that the body is too large.
  bool is_too_large() const {
    const auto length = parser_.content_length_remaining();
    return length && *length > limits_.bytes;
  }
  bool is_whole() const { return parser_.is_done(); }

  /// Waits for the next piece. At the end of the body it may be empty.
  async::task<error_code> next(std::string& piece) {
    if (expects_) {
      expects_ = false;
      const error_code lost = co_await async::with_frame(answers_.agree(left_));
      if (lost) co_return lost;
    }
    parser_.get().body().swap(piece);
    error_code error;
    for (;;) {
      error = parse();
      if (error != http::error::need_more || !parser_.get().body().empty()) break;
      error = co_await async::with_frame(read_on());
      if (error) break;
    }
    parser_.get().body().swap(piece);
    note_progress(piece.size());
    co_return error == http::error::need_more ? error_code() : error;
  }

  /// Drops what has come. True if the rest can be read to its end behind the answer.
  bool can_go_on() {
    if (!is_whole()) {
      const error_code error = parse();
      parser_.get().body().clear();
      if (error && error != http::error::need_more) return false;
    }
    if (is_whole()) return true;
    const auto left = parser_.content_length_remaining();
    return !expects_ && left && *left <= limits_.unread_bytes;
  }
  /// Reads the rest, and drops it.
  async::task<error_code> drop_rest(time_limit limit) {
    const tick due = due_in(limit);
    error_code error;
    while (!is_whole()) {
      error = parse();
      parser_.get().body().clear();
      if (error == http::error::need_more) error = co_await async::with_frame(from_.read_on(left_until(due)));
      if (error) co_return error;
    }
    co_return error_code();
  }

 private:
  /// Parses all that has been read. need_more: the body goes on.
  error_code parse() {
    error_code error;
    size_t bytes = 0;
    while (!error && !parser_.is_done()) error = from_.parse(parser_, bytes);
    return error;
  }

  async::task<error_code> read_on() {
    const tick due = port::now() + left_;
    const error_code error = co_await async::with_frame(from_.read_on(left_until(due)));
    const tick now = port::now();
    left_ = due > now ? ticks(due - now) : 0_s;
    co_return error;
  }
  void note_progress(size_t bytes) noexcept {
    progress_ += bytes;
    if (progress_ < limits_.progress_bytes) return;
    progress_ = 0;
    left_ = limits_.progress_time;
  }

  beast_http_reader& from_;
  beast_http_sender& answers_;
  const http_body_limits limits_;
  http::request_parser<growing_body> parser_;
  bool expects_;
  size_t progress_ = 0;
  duration left_ = limits_.progress_time;
};

/// The end of a body by an error of its reading.
inline http_body_end body_end_by(const boost::system::error_code& e) {
  if (e == http::error::partial_message) return http_body_end::left;
  const http_end end = end_by(e);
  if (end == &http_counters::stopped) return http_body_end::stopped;
  if (end == &http_counters::too_slow) return http_body_end::too_slow;
  if (end == &http_counters::body_too_large) return http_body_end::too_large;
  return end == &http_counters::left ? http_body_end::left : http_body_end::malformed;
}

}  // namespace baton::BATON_VARIANT::components::detail
