// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>

#include "beast_http_core.hpp"
#include "beast_http_reader.hpp"
#include "beast_http_sender.hpp"
#include "connection_places.hpp"
#include "http_dispatch.hpp"
#include "http_refusal.hpp"
#include "tcp_link.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// The parts of a session that each kind of request needs: it sends answers and refusals, and looks
/// whether the client is still there.
class beast_http_connection : connection_place::holder {
 public:
  /// A request for whose answer there was no memory is counted as failed.
  ~beast_http_connection() override {
    if (owes_answer_) ++core_.counts.failed;
  }

 protected:
  using place = std::unique_ptr<connection_place>;
  using error_code = boost::system::error_code;

  beast_http_connection(tcp_link l, place p, beast_http_core& c)
      : link_(std::move(l)),
        place_(std::move(p)),
        core_(c),
        limits_(c.limits),
        sender_(link_, c.date, c.limits.writing_time),
        reader_(link_, c.limits) {
    place_->hold(*this);
  }
  async::task<error_code> send(http_response&& r, answer_form form) {
    form.keeps = keeps(form);
    return sender_.send(std::move(r), form);
  }
  /// Sends a response with a stream, while the client is there.
  async::task<error_code> send(http_response r, answer_form& form, http_job& job) {
    if (form.version < 11) form.keeps = false;
    answer_form now = form;
    now.keeps = keeps(form);
    async::scope watching;
    watching.spawn(async::with_frame(watch(job)));
    const error_code error = co_await async::with_frame(sender_.send(std::move(r), now, *job.pipe));
    watching.stop();
    co_await watching.join();
    co_return error;
  }

  /// Waits for a route's response, or for its next read. A client that hangs up meanwhile ends the
  /// route; most routes answer before that is looked at.
  async::task<status> wait_for(http_job& job, async::manual_event& what) {
    status waited = co_await async::within(milliseconds(50), what.wait());
    if (waited != status::timed_out) co_return waited;
    async::scope watching;
    watching.spawn(async::with_frame(watch(job)));
    waited = co_await what.wait();
    watching.stop();
    co_await watching.join();
    co_return waited;
  }
  /// Reads ahead, to notice the client's end.
  async::task<> watch(http_job& job) {
    const bool has_ended = co_await async::with_frame(reader_.notice_end());
    if (!has_ended) co_return;
    is_gone_ = true;
    if (job.pipe) job.pipe->end(false);
    if (job.body) job.body->finish(http_body_end::left);
    job.unwanted.stop();
  }

  /// Answers a request that was refused.
  async::task<> refuse(http_end why, answer_form form) {
    uint16_t code = 0;
    if (why == &http_counters::too_slow) code = 408;
    if (why == &http_counters::body_too_large) code = 413;
    if (why == &http_counters::header_too_large) code = 431;
    if (why == &http_counters::malformed) code = refusal_ == 0 ? 400 : refusal_;
    if (why == &http_counters::misdirected || why == &http_counters::forbidden) code = refusal_;
    if (code == 0 || has_given_way_) co_return;
    form.keeps = false;
    const error_code lost = co_await async::with_frame(sender_.send(http_response(code, words_for(code)), form));
    if (!lost) co_await async::with_frame(hang_up(link_, 1_s));
  }

  static http_end end_of_answer(const error_code& e) noexcept {
    return e == status::cancelled ? &http_counters::stopped : &http_counters::left;
  }

  bool keeps(const answer_form& form) const noexcept { return form.keeps && !core_.drains.is_begun; }

  tcp_link link_;
  place place_;
  beast_http_core& core_;
  const http_limits& limits_;
  beast_http_sender sender_;
  beast_http_reader reader_;
  uint16_t refusal_ = 0;
  bool has_given_way_ = false;
  bool is_gone_ = false;
  bool owes_answer_ = false;  // the request is counted, and its answer is not
 private:
  void give_way() override {
    has_given_way_ = true;
    link_.close();
  }
};

}  // namespace baton::BATON_VARIANT::components::detail
