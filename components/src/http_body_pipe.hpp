// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/components/http_body.hpp>

#include "asio_socket.hpp"

/// A request's body on its way from the connection to the coroutine that reads it.
namespace baton::BATON_VARIANT::components::detail {

/// Hands pieces over, one at a time. The connection reads from its client when it is asked. The
/// coroutine and the connection share it, because either may be gone before the other.
class http_body_pipe final : public http_body {
 public:
  async::task<http_piece> read(time_limit limit) override { return async::with_frame(take(limit)); }
  http_body_end end() const noexcept override { return has_piece_ ? http_body_end::none : end_; }

  async::task<http_piece> take(time_limit limit) {
    const tick due = due_in(limit);
    const status first = co_await async::within(limit, line_.lock());
    if (first != status::ok) co_return http_piece{first, {}};
    const turn mine(*this);
    if (!has_piece_ && end_ == http_body_end::none) {
      news_.reset();
      asked.set();
      const status waited = co_await async::within(left_until(due), news_.wait());
      if (waited != status::ok) co_return http_piece{waited, {}};
    }
    if (!has_piece_) co_return http_piece{status::closed, {}};
    has_piece_ = false;
    taken_.swap(next_);
    co_return http_piece{status::ok, taken_};
  }

  /// The time that is left of `limit` since the coroutine's last read.
  duration left_of(duration limit) const noexcept {
    if (line_.is_locked()) return limit;
    const tick due = last_read_ + limit;
    const tick now = port::now();
    return due > now ? ticks(due - now) : 0_s;
  }

  /// ---- For the connection ----

  /// Set while the coroutine waits for a piece, or has given up a wait for one.
  async::manual_event asked;

  /// The text for the next piece. It is empty, and has memory from an earlier one.
  std::string& room() noexcept {
    next_.clear();
    return next_;
  }
  /// There is a piece.
  void give() noexcept {
    has_piece_ = true;
    asked.reset();
    news_.set();
  }
  /// Nothing comes behind the piece that there may be. The first end counts.
  void finish(http_body_end how) noexcept {
    if (end_ == http_body_end::none) end_ = how;
    asked.reset();
    news_.set();
  }

 private:
  struct turn {
    explicit turn(http_body_pipe& p) : of(p) {}
    turn(const turn&) = delete;
    ~turn() {
      of.last_read_ = port::now();
      of.line_.unlock();
    }
    http_body_pipe& of;
  };

  std::string taken_;
  std::string next_;
  bool has_piece_ = false;
  http_body_end end_ = http_body_end::none;
  tick last_read_ = port::now();
  async::mutex line_;         // held by the coroutine that reads
  async::manual_event news_;  // set when there is a piece, and at the end
};

}  // namespace baton::BATON_VARIANT::components::detail
