// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/with_frame.hpp>
#include <baton/components/websocket_server.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "beast_websocket.hpp"
#include "connection_places.hpp"
#include "draining.hpp"
#include "http_framing.hpp"
#include "tcp_link.hpp"
#include "web_origin.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// The state that all connections of a server share.
struct beast_websocket_core {
  websocket_server_limits limits;
  websocket_counters counts;
  const route_table<websocket_handler>* routes;
  draining drains;
};

/// The result of a handler's coroutine. The coroutine and its waiter share it, because either may
/// be gone before the other.
struct websocket_job {
  std::shared_ptr<beast_websocket> connection;
  bool has_thrown = false;
  async::manual_event done;
};

/// Runs the handler as a coroutine of the owner.
inline async::task<> run_job(std::shared_ptr<websocket_job> j, std::shared_ptr<route_target<websocket_handler>> t) {
  struct end {
    ~end() { of.done.set(); }
    websocket_job& of;
  } const at_end{*j};
  try {
    co_await async::with_frame(t->handler(*j->connection));
  } catch (...) {
    j->has_thrown = true;
  }
}

/// Closes a connection when its server drains.
inline async::task<> say_farewell(beast_websocket& c, async::manual_event& drains) {
  const status waited = co_await drains.wait();
  if (waited != status::ok) co_return;
  try {
    static_cast<void>(co_await c.close(1001, {}));
  } catch (const std::bad_alloc&) {
    c.leave(websocket_ending::left);
  }
}

/// Ends a connection of whose coroutine there is nothing left, for want of memory too.
struct leaving {
  ~leaving() { of.leave(websocket_ending::left); }
  beast_websocket& of;
};

/// Runs the handler of an open connection, and closes it. true: the handler threw. Want of memory
/// ends the connection; a handler that has begun sees its end.
inline async::task<bool> run_websocket(std::shared_ptr<beast_websocket> c,
                                       std::shared_ptr<route_target<websocket_handler>> to,
                                       async::manual_event& drains) {
  const leaving at_end{*c};
  auto job = std::make_shared<websocket_job>();
  job->connection = c;
  c->begin();
  to->owner.spawn(run_job(job, to));
  async::scope farewell;
  farewell.spawn(async::with_frame(say_farewell(*c, drains)));
  const status waited = co_await job->done.wait();
  if (!drains.is_set()) farewell.stop();
  co_await farewell.join();
  if (waited == status::ok) {
    const uint16_t code = !to->is_available() ? 1001 : 1000;
    static_cast<void>(co_await c->close(job->has_thrown ? 1011 : code, {}));  // it ends in either case
  } else {
    c->go_away();
  }
  co_await c->join();
  co_return job->has_thrown;
}

/// One connection of a server: the request that opens it, its handler, and its end.
class beast_websocket_session final : connection_place::holder {
 public:
  using place = std::unique_ptr<connection_place>;

  beast_websocket_session(tcp_link l, place p, beast_websocket_core& c)
      : link_(std::move(l)), place_(std::move(p)), core_(c), due_(port::now() + c.limits.handshake_time) {
    place_->hold(*this);
  }

  /// Runs to the end of the connection. Want of memory ends it.
  static async::task<> run(tcp_link l, place p, beast_websocket_core& core) {
    const open_one counted(core);
    counter end = &websocket_counters::left;
    try {
      beast_websocket_session one(std::move(l), std::move(p), core);
      end = co_await async::with_frame(one.serve());
      if (one.has_given_way_) end = &websocket_counters::released;
    } catch (...) {
      end = &websocket_counters::left;
    }
    ++(core.counts.*end);
  }

 private:
  using counter = uint64_t websocket_counters::*;
  using target = std::shared_ptr<route_target<websocket_handler>>;
  using request = http::request<http::empty_body>;
  using error_code = boost::system::error_code;

  struct open_one {
    explicit open_one(beast_websocket_core& c) : of(c) {
      ++of.counts.connections;
      ++of.counts.open;
    }
    open_one(const open_one&) = delete;
    ~open_one() { of.drains.note_left(--of.counts.open); }
    beast_websocket_core& of;
  };

  async::task<counter> serve() {
    if (link_.is_secured()) {
      const error_code error = co_await async::with_frame(greet(link_, left_until(due_)));
      if (error) {
        co_return error == status::cancelled ? &websocket_counters::stopped : &websocket_counters::handshake_failed;
      }
    }
    request r;
    counter why = co_await async::with_frame(read(r));
    place_->become(place_use::busy);
    target to;
    if (!why) why = find(r, to);
    if (why) {
      co_await async::with_frame(refuse(why, is_http_));
      co_return why;
    }
    websocket_stream opened = stream_over(std::move(link_));
    opened.set_option(ws::stream_base::decorator([](ws::response_type& answer) { answer.erase(http::field::server); }));
    set_compression(opened, core_.limits.each.compresses);
    http_request by(std::string(r.method_string()), std::string(r.target()));
    by.headers = headers_from(r);
    by.parameters = std::move(parameters_);
    leave_one_offer(r);
    auto [error] = co_await async::within(left_until(due_), opened.async_accept(r, asio::use_baton));
    if (error) {
      // Beast itself has answered a request that it refuses.
      co_await async::with_frame(hang_up(opened.next_layer(), 1_s));
      co_return end_by(error);
    }
    co_return co_await async::with_frame(
        serve(std::make_shared<beast_websocket>(std::move(opened), std::move(by), core_.limits.each), std::move(to)));
  }

  /// Reads the opening request; null: it asks for a WebSocket.
  async::task<counter> read(request& r) {
    const uint32_t most = core_.limits.header_bytes;
    http::request_parser<http::empty_body> p;
    p.header_limit(most);
    boost::beast::flat_buffer buffer(most + 4096);
    auto [error, bytes] =
        co_await async::within(left_until(due_), http::async_read_header(link_, buffer, p, asio::use_baton));
    if (error) co_return end_by(error);
    // Beast checks its limit only when a header comes in several pieces.
    if (bytes > most) co_return &websocket_counters::header_too_large;
    // A client waits for the answer before it sends more.
    const bool has_host = p.get().count(http::field::host) == 1 && is_host(view_of(p.get()[http::field::host]));
    const bool is_sound = has_host && p.get().count(http::field::origin) <= 1 && is_target(view_of(p.get().target()));
    if (buffer.size() != 0 || !is_sound) co_return &websocket_counters::malformed;
    is_http_ = true;
    r = p.release();
    co_return ws::is_upgrade(r) ? nullptr : &websocket_counters::malformed;
  }

  /// Finds the path's handler; null: it may be called.
  counter find(const request& r, target& to) {
    const std::string_view host = view_of(r[http::field::host]);
    if (!is_own(host, core_.limits.hosts)) return &websocket_counters::misdirected;
    const auto header = r.find(http::field::origin);
    const std::string origin = header == r.end() ? std::string() : std::string(header->value());
    if (!is_welcome(header == r.end() ? nullptr : &origin, core_.limits.origins)) {
      return &websocket_counters::forbidden;
    }
    const std::string path(r.target().substr(0, r.target().find('?')));
    std::vector<route_parameter> parameters;
    const auto* const known = core_.routes->find(path, &parameters);
    for (const route_parameter& one : parameters)
      parameters_.push_back({std::string(one.name), std::string(one.value)});
    if (!known) return &websocket_counters::not_found;
    to = known->begin()->second;
    return to->is_available() ? nullptr : &websocket_counters::unavailable;
  }

  /// Runs the handler, and closes the connection.
  async::task<counter> serve(std::shared_ptr<beast_websocket> c, target to) {
    ++core_.counts.accepted;
    const bool has_thrown = co_await async::with_frame(run_websocket(c, std::move(to), core_.drains.begins));
    if (has_thrown) ++core_.counts.failed;
    co_return end_by(c->how());
  }

  /// Answers an opening request that was refused.
  async::task<> refuse(counter why, bool is_http) {
    http::response<http::string_body> r(http::status::bad_request, 11, "This is no request for a WebSocket.\n");
    if (why == &websocket_counters::malformed && is_http) {
      r.result(http::status::upgrade_required);
      r.set(http::field::upgrade, "websocket");
    } else if (why == &websocket_counters::too_slow) {
      r = {http::status::request_timeout, 11, "The request came too slowly.\n"};
    } else if (why == &websocket_counters::header_too_large) {
      r = {http::status::request_header_fields_too_large, 11, "The request's header is too large.\n"};
    } else if (why == &websocket_counters::forbidden) {
      r = {http::status::forbidden, 11, "This page may not connect.\n"};
    } else if (why == &websocket_counters::misdirected) {
      r = {http::status::misdirected_request, 11, "This server does not answer for that host.\n"};
    } else if (why == &websocket_counters::not_found) {
      r = {http::status::not_found, 11, "There is no such path.\n"};
    } else if (why == &websocket_counters::unavailable) {
      r = {http::status::service_unavailable, 11, "This is not available.\n"};
    } else if (why != &websocket_counters::malformed || has_given_way_) {
      co_return;
    }
    r.set(http::field::content_type, "text/plain; charset=utf-8");
    r.keep_alive(false);
    r.prepare_payload();
    auto [error, sent] = co_await async::within(seconds(1), http::async_write(link_, r, asio::use_baton));
    if (!error) co_await async::with_frame(hang_up(link_, 1_s));
  }

  static counter end_by(const error_code& e) {
    if (e == status::cancelled) return &websocket_counters::stopped;
    if (e == status::timed_out) return &websocket_counters::too_slow;
    if (e == http::error::end_of_stream) return &websocket_counters::left;
    if (e == http::error::header_limit || e == http::error::buffer_overflow)
      return &websocket_counters::header_too_large;
    const bool is_of_http = e.category() == http::make_error_code(http::error::bad_method).category();
    const bool is_of_websocket = e.category() == ws::make_error_code(ws::error::closed).category();
    return is_of_http || is_of_websocket ? &websocket_counters::malformed : &websocket_counters::left;
  }
  static counter end_by(websocket_ending e) {
    switch (e) {
      case websocket_ending::closed:
        return &websocket_counters::closed;
      case websocket_ending::idle:
        return &websocket_counters::idle;
      case websocket_ending::not_taken:
        return &websocket_counters::not_taken;
      case websocket_ending::too_large:
        return &websocket_counters::message_too_large;
      case websocket_ending::violated:
        return &websocket_counters::violated;
      case websocket_ending::stopped:
        return &websocket_counters::stopped;
      default:
        return &websocket_counters::left;
    }
  }

  void give_way() override {
    has_given_way_ = true;
    link_.close();
  }

  tcp_link link_;
  place place_;
  beast_websocket_core& core_;
  const tick due_;
  bool has_given_way_ = false;
  bool is_http_ = false;
  std::vector<http_header> parameters_;
};

}  // namespace baton::BATON_VARIANT::components::detail
