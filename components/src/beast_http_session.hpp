// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>

#include "beast_body_reader.hpp"
#include "beast_http_connection.hpp"
#include "beast_upgrade.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// One connection: requests and their answers, one after the other.
class beast_http_session final : beast_http_connection {
 public:
  using beast_http_connection::place;

  beast_http_session(tcp_link l, place p, beast_http_core& c) : beast_http_connection(std::move(l), std::move(p), c) {}

  /// Runs to the end of the connection. Want of memory ends it.
  static async::task<> run(tcp_link l, place p, beast_http_core& core) {
    const open_connection counted(core);
    http_end end = &http_counters::left;
    try {
      beast_http_session one(std::move(l), std::move(p), core);
      end = co_await async::with_frame(one.serve());
      if (one.has_given_way_) end = &http_counters::released;
    } catch (...) {
      end = &http_counters::left;
    }
    ++(core.counts.*end);
  }

 private:
  async::task<http_end> serve() {
    if (link_.is_secured()) {
      const error_code error = co_await async::with_frame(greet(link_, limits_.reading_time));
      if (error) co_return error == status::cancelled ? &http_counters::stopped : &http_counters::handshake_failed;
    }
    for (;;) {
      place_->become(place_use::idle);
      http_end why = co_await async::with_frame(wait_for_request());
      if (why) co_return why;
      place_->become(place_use::reading);
      http_request r;
      answer_form form;
      why = co_await async::with_frame(read(r, form));
      reader_.end();
      if (why) {
        co_await async::with_frame(refuse(why, form));
        co_return why;
      }
      place_->become(place_use::busy);
      if (upgrade_) co_return co_await async::with_frame(become_websocket(std::move(r)));
      if (body_) {
        why = co_await async::with_frame(answer_in_pieces(r, form));
        if (why) co_return why;
      } else {
        const error_code error = co_await async::with_frame(answer(r, form));
        if (error) co_return end_of_answer(error);
      }
      if (!keeps(form)) {
        co_await async::with_frame(hang_up(link_, 1_s));
        co_return &http_counters::closed;
      }
      // Others go first. The client may send meanwhile, so that the next read need not wait.
      co_await async::yield();
    }
  }

  /// Waits for the first byte of a request; null: it has come. Line ends in front of it are
  /// skipped.
  async::task<http_end> wait_for_request() {
    const tick due = port::now() + limits_.idle_time;
    for (;;) {
      const std::string_view got = reader_.unread();
      const size_t ends = got.starts_with("\r\n") ? 2 : 0;
      reader_.skip(ends);
      if (ends != 0) continue;
      if (!got.empty() && got != "\r") co_return nullptr;
      if (core_.drains.is_begun) co_return &http_counters::released;
      const error_code error = co_await async::with_frame(reader_.read_some(left_until(due)));
      if (error) co_return error == status::timed_out ? &http_counters::idle : end_by(error);
    }
  }

  /// Reads a request; null: it is complete. What has come already takes no wait.
  async::task<http_end> read(http_request& r, answer_form& form) {
    beast_http_reader::parser& p = reader_.begin();
    const tick due = port::now() + limits_.reading_time;
    size_t bytes = 0;
    error_code error;
    while (!p.is_header_done()) {
      error = reader_.parse(bytes);
      if (error == http::error::need_more) error = co_await async::with_frame(reader_.read_on(left_until(due)));
      if (error) co_return end_by(error);
    }
    // Beast checks its limit only when a header comes in several pieces.
    if (bytes > limits_.header_bytes) co_return &http_counters::header_too_large;
    const head_facts facts(p.get());
    form = form_of(p.get(), facts);
    const head_verdict verdict = judge(p.get(), facts, limits_);
    refusal_ = verdict.status;
    if (verdict.why) co_return verdict.why;
    take_head(p.get(), facts, verdict.what, r);
    if (facts.upgrade.count != 0) note_upgrade(p.get(), r);
    if (p.is_done()) co_return nullptr;
    const bool expects = form.version == 11 && facts.expect.count != 0;
    if (!upgrade_) streamed_ = streamed_target_of(*core_.routes, r);
    if (streamed_) {
      body_ = std::make_unique<beast_body_reader>(reader_, sender_, streamed_->handler.streamed->limits, expects);
      co_return body_->is_too_large() ? &http_counters::body_too_large : nullptr;
    }
    p.body_limit(limits_.body_bytes);
    if (p.content_length_remaining().value_or(0) > limits_.body_bytes) co_return &http_counters::body_too_large;
    if (expects) {
      const error_code lost = co_await async::with_frame(sender_.agree(left_until(due)));
      if (lost) co_return end_by(lost);
    }
    while (!p.is_done()) {
      error = reader_.parse(bytes);
      if (error == http::error::need_more) error = co_await async::with_frame(reader_.read_on(left_until(due)));
      if (error) co_return end_by(error);
    }
    r.body = std::move(p.get().body());
    co_return nullptr;
  }

  /// Takes the head before the body is read: Beast appends the trailers of a body to the headers.
  static void take_head(const http::request<http::string_body>& from, const head_facts& facts, const asked& what,
                        http_request& to) {
    to.method = view_of(from.method_string());
    to.target = what.path;
    if (to.target[0] == '?') to.target.insert(0, 1, '/');
    to.headers = headers_from(from);
    if (what.host == facts.host.first) return;
    std::erase_if(to.headers, [](const http_header& h) { return is_same_name(h.name, "Host"); });
    to.headers.push_back({"Host", std::string(what.host)});
  }

  /// Notes a request that asks for a WebSocket of a path that has one.
  void note_upgrade(const http::request<http::string_body>& from, http_request& r) {
    const auto upgrade = from.find(http::field::upgrade);
    if (upgrade == from.end() || from.version() < 11 || from.method() != http::verb::get || from.has_content_length()) {
      return;
    }
    std::vector<route_parameter> parameters;
    const auto* const known = core_.websockets->find(r.path(), &parameters);
    if (!known || !http::token_list(upgrade->value()).exists("websocket")) return;
    upgrade_ = std::make_unique<upgrade_request>();
    upgrade_->raw.base() = from.base();
    upgrade_->to = known->begin()->second;
    for (const route_parameter& one : parameters)
      r.parameters.push_back({std::string(one.name), std::string(one.value)});
  }

  /// Serves a WebSocket until it ends.
  async::task<http_end> become_websocket(http_request r) {
    ++core_.counts.requests;
    const bool is_early = !reader_.unread().empty();  // a client waits for the answer before it sends more
    if (is_early || !upgrade_->to->is_available()) {
      ++(is_early ? core_.counts.failed : core_.counts.unavailable);
      const uint16_t code = is_early ? 400 : 503;
      const error_code error = co_await async::with_frame(send(http_response(code, words_for(code)), {}));
      if (!error) co_await async::with_frame(hang_up(link_, 1_s));
      co_return &http_counters::closed;
    }
    ++core_.counts.upgraded;
    upgrade_->request = std::move(r);
    const websocket_ending how = co_await async::with_frame(serve_upgrade(
        std::move(link_), std::move(*upgrade_), limits_.websocket, limits_.writing_time, core_.drains.begins));
    if (how == websocket_ending::closed) co_return &http_counters::closed;
    if (how == websocket_ending::idle) co_return &http_counters::idle;
    if (how == websocket_ending::stopped) co_return &http_counters::stopped;
    if (how == websocket_ending::violated) co_return &http_counters::malformed;
    co_return how == websocket_ending::too_large ? &http_counters::body_too_large : &http_counters::left;
  }

  /// Answers a request.
  async::task<error_code> answer(http_request& r, answer_form form) {
    ++core_.counts.requests;
    owes_answer_ = true;
    if (r.target == "*") {
      ++core_.counts.answered;
      owes_answer_ = false;
      co_return co_await async::with_frame(send(http_response(204), form));
    }
    const bool is_websockets = core_.websockets->find(r.path()) != nullptr;
    if (is_websockets && !core_.routes->find(r.path())) {
      http_response other(426, words_for(426));
      other.headers.push_back({"Upgrade", "websocket"});
      ++core_.counts.not_allowed;
      owes_answer_ = false;
      co_return co_await async::with_frame(send(std::move(other), form));
    }
    http_response refusal;
    const std::shared_ptr<http_target> to = target_of(*core_.routes, core_.counts, r, refusal);
    owes_answer_ = to != nullptr;
    if (!to) co_return co_await async::with_frame(send(std::move(refusal), form));
    const wanted_job wanted{begin_job(to, std::move(r), limits_.answering_time)};
    http_job& job = *wanted.job;
    // A route that waits for nothing answers within these turns, and takes no deadline.
    for (int turns = 0; turns != turns_of_a_job && !job.done.is_set(); ++turns) co_await async::yield();
    if (!job.done.is_set()) static_cast<void>(co_await async::with_frame(wait_for(job, job.done)));
    if (is_gone_ && !job.response) {
      ++core_.counts.abandoned;
      owes_answer_ = false;
      co_return boost::asio::error::connection_reset;
    }
    http_response response = result_of(job, core_.counts);
    owes_answer_ = false;
    if (!job.pipe) co_return co_await async::with_frame(send(std::move(response), form));
    co_return co_await async::with_frame(send(std::move(response), form, job));
  }

  /// Answers a request whose route reads the body in pieces; null: the connection may go on. What
  /// the route returns is not sent if the body is refused.
  async::task<http_end> answer_in_pieces(http_request& r, answer_form& form) {
    const wanted_job wanted{
        begin_job(streamed_, std::move(r), limits_.answering_time, std::make_shared<http_body_pipe>())};
    streamed_ = nullptr;
    http_job& job = *wanted.job;
    http_end broken = nullptr;
    async::scope pumping;
    pumping.spawn(async::with_frame(pump(job, broken)));
    static_cast<void>(co_await job.done.wait());
    pumping.stop();
    co_await pumping.join();
    job.body->finish(http_body_end::stopped);
    if (broken) {
      co_await async::with_frame(refuse(broken, form));
      co_return broken;
    }
    ++core_.counts.requests;
    if (is_gone_ && !job.response) {
      ++core_.counts.abandoned;
      co_return &http_counters::left;
    }
    co_return co_await async::with_frame(answer_behind(job, form));
  }
  /// Sends the answer to such a request. What the route has left of the body is dropped behind it.
  async::task<http_end> answer_behind(http_job& job, answer_form& form) {
    owes_answer_ = true;
    http_response response = result_of(job, core_.counts);
    owes_answer_ = false;
    form.keeps = body_->can_go_on() && form.keeps;
    error_code error;
    if (job.pipe) {
      error = co_await async::with_frame(send(std::move(response), form, job));
    } else {
      error = co_await async::with_frame(send(std::move(response), form));
    }
    if (error) co_return end_of_answer(error);
    if (keeps(form)) error = co_await async::with_frame(body_->drop_rest(limits_.reading_time));
    if (error == status::cancelled) co_return &http_counters::stopped;
    if (error) form.keeps = false;
    body_.reset();
    co_return nullptr;
  }

  /// Brings the pieces of a body to its route, as the route asks for them. `broken` is set if the
  /// body is no whole one. Want of memory ends the route.
  async::task<> pump(http_job& job, http_end& broken) {
    try {
      broken = co_await async::with_frame(bring(job));
    } catch (...) {
      job.unwanted.stop();
      throw;
    }
  }
  async::task<http_end> bring(http_job& job) {
    while (!body_->is_whole()) {
      const status asked = co_await async::with_frame(wait_for(job, job.body->asked));
      if (asked != status::ok || is_gone_) co_return nullptr;
      std::string& piece = job.body->room();
      const error_code error = co_await async::with_frame(body_->next(piece));
      if (error == status::cancelled) co_return nullptr;
      if (!piece.empty()) job.body->give();
      if (!error) continue;
      job.body->finish(body_end_by(error));
      co_return end_by(error);
    }
    job.body->finish(http_body_end::whole);
    static_cast<void>(co_await async::with_frame(wait_for(job, job.done)));
    co_return nullptr;
  }

  std::unique_ptr<upgrade_request> upgrade_;
  std::shared_ptr<http_target> streamed_;    // of a request whose route reads the body in pieces
  std::unique_ptr<beast_body_reader> body_;  // of that request, until it is answered
};

}  // namespace baton::BATON_VARIANT::components::detail
