// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/components/http_message.hpp>

/// A response's body on its way from the coroutine that writes it to the connection.
namespace baton::BATON_VARIANT::components::detail {

/// Hands pieces over, one at a time. The coroutine and the connection share it, because either may
/// be gone before the other: so a piece is a copy.
class http_pipe final : public http_stream {
 public:
  async::task<status> write(std::string_view piece) override { return async::with_frame(hand_over(piece)); }
  async::task<status> hand_over(std::string_view piece) {
    const status first = co_await line_.lock();
    if (first != status::ok) co_return first;
    const turn mine(line_);
    if (is_cut_) co_return status::closed;
    if (piece.empty()) co_return status::ok;  // an empty piece would be the end
    piece_ = piece;
    taken_.reset();
    news_.set();
    const status waited = co_await taken_.wait();
    if (waited != status::ok) co_return waited;
    co_return is_cut_ ? status::closed : status::ok;
  }

  /// ---- For the connection ----

  /// Waits for a piece, or for the end. The status is `closed` at the end.
  async::task<status> next() {
    while (piece_.empty() && !has_ended_) {
      news_.reset();
      const status waited = co_await news_.wait();
      if (waited != status::ok) co_return waited;
    }
    co_return piece_.empty() ? status::closed : status::ok;
  }
  const std::string& piece() const noexcept { return piece_; }
  /// The piece is sent.
  void take() noexcept {
    piece_.clear();
    taken_.set();
  }
  /// No further piece will be taken.
  void cut() noexcept {
    is_cut_ = true;
    take();
  }
  bool is_whole() const noexcept { return is_whole_; }

  /// ---- For the coroutine ----

  void end(bool is_whole) noexcept {
    has_ended_ = true;
    is_whole_ = is_whole;
    news_.set();
  }

 private:
  struct turn {
    explicit turn(async::mutex& m) : of(m) {}
    turn(const turn&) = delete;
    ~turn() { of.unlock(); }
    async::mutex& of;
  };

  std::string piece_;
  bool is_cut_ = false;
  bool has_ended_ = false;
  bool is_whole_ = false;
  async::mutex line_;          // held by the coroutine that writes
  async::manual_event news_;   // set when there is a piece, and at the end
  async::manual_event taken_;  // set when the piece is sent, or never will be
};

}  // namespace baton::BATON_VARIANT::components::detail
