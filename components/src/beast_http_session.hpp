// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>

#include "beast_http_core.hpp"
#include "beast_http_reader.hpp"
#include "beast_http_sender.hpp"
#include "beast_upgrade.hpp"
#include "connection_places.hpp"
#include "http_dispatch.hpp"
#include "http_refusal.hpp"
#include "tcp_link.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// One connection: requests and their answers, one after the other.
class beast_http_session final : connection_place::holder {
 public:
  using place = std::unique_ptr<connection_place>;

  beast_http_session(tcp_link l, place p, beast_http_core& c)
      : link_(std::move(l)),
        place_(std::move(p)),
        core_(c),
        limits_(c.limits),
        sender_(link_, c.date, c.limits.writing_time),
        reader_(link_, c.limits) {
    place_->hold(*this);
  }
  /// A request for whose answer there was no memory is counted as failed.
  ~beast_http_session() override {
    if (owes_answer_) ++core_.counts.failed;
  }

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
  using error_code = boost::system::error_code;

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
      const error_code error = co_await async::with_frame(answer(r, form));
      if (error) co_return error == status::cancelled ? &http_counters::stopped : &http_counters::left;
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
    if (form.version == 11 && facts.expect.count != 0) {
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
    if (!job.done.is_set()) co_await async::with_frame(wait_for(job));
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

  /// Waits for a route's response. A client that hangs up meanwhile ends the route; most routes
  /// answer before that is looked at.
  async::task<> wait_for(http_job& job) {
    status waited = co_await async::within(milliseconds(50), job.done.wait());
    if (waited != status::timed_out) co_return;
    async::scope watching;
    watching.spawn(async::with_frame(watch(job)));
    waited = co_await job.done.wait();
    watching.stop();
    co_await watching.join();
  }
  /// Reads ahead, to notice the client's end.
  async::task<> watch(http_job& job) {
    while (reader_.unread().size() < limits_.header_bytes) {
      const error_code error = co_await async::with_frame(reader_.read_some(forever));
      if (error == status::cancelled) co_return;
      if (!error) continue;
      is_gone_ = true;
      if (job.pipe) job.pipe->end(false);
      job.unwanted.stop();
      co_return;
    }
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

  void give_way() override {
    has_given_way_ = true;
    link_.close();
  }

  bool keeps(const answer_form& form) const noexcept { return form.keeps && !core_.drains.is_begun; }

  tcp_link link_;
  place place_;
  beast_http_core& core_;
  const http_limits& limits_;
  beast_http_sender sender_;
  beast_http_reader reader_;
  std::unique_ptr<upgrade_request> upgrade_;
  uint16_t refusal_ = 0;
  bool has_given_way_ = false;
  bool is_gone_ = false;
  bool owes_answer_ = false;  // the request is counted, and its answer is not
};

}  // namespace baton::BATON_VARIANT::components::detail
