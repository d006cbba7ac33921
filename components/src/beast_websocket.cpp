// SPDX-License-Identifier: MIT
#include <baton/components/beast_websocket_client.hpp>
#include <baton/components/beast_websocket_server.hpp>

#include "asio_connect.hpp"
#include "asio_listener.hpp"
#include "beast_websocket_session.hpp"

namespace baton::BATON_VARIANT::components {

/// ---- Server ----

struct beast_websocket_server::state {
  state(service::context here, const websocket_server_limits& l, const detail::route_table<websocket_handler>& r,
        const tcp_place& at)
      : core{l, {}, &r, detail::draining()},
        door(here, at, detail::tls_protocol::http, l.connections, l.connections_per_peer),
        end(detail::drains_at_end(here, core, door, l.draining_time)) {}

  detail::beast_websocket_core core;
  detail::asio_listener door;
  service::registration end;
};

beast_websocket_server::beast_websocket_server(service::context here, const tcp_place& at,
                                               const websocket_server_limits& l)
    : state_(std::make_unique<state>(here, l, routes(), at)) {
  detail::beast_websocket_core& core = state_->core;
  here.spawn(state_->door.accept({core.counts.turned_away, core.counts.not_accepted}, {},
                                 [&core](detail::tcp_link l, auto place) {
                                   return detail::beast_websocket_session::run(std::move(l), std::move(place), core);
                                 }));
}
beast_websocket_server::~beast_websocket_server() = default;

async::task<status> beast_websocket_server::drain(time_limit limit) {
  return async::with_frame(detail::drain(state_->core, state_->door, limit));
}

uint16_t beast_websocket_server::port() const {
  return state_->door.port();
}
websocket_counters beast_websocket_server::counters() const {
  return state_->core.counts;
}

/// ---- Upgrade of an HTTP connection ----

namespace detail {

async::task<websocket_ending> serve_upgrade(tcp_link l, upgrade_request r, websocket_limits limits,
                                            duration answering_time, async::manual_event& drains) {
  websocket_stream opened = stream_over(std::move(l));
  opened.set_option(ws::stream_base::decorator([](ws::response_type& answer) { answer.erase(http::field::server); }));
  set_compression(opened, limits.compresses);
  leave_one_offer(r.raw);
  auto [error] = co_await async::within(answering_time, opened.async_accept(r.raw, asio::use_baton));
  if (error) {
    // Beast itself has answered a request that it refuses.
    co_await async::with_frame(hang_up(opened.next_layer(), 1_s));
    co_return error == status::cancelled ? websocket_ending::stopped : websocket_ending::violated;
  }
  auto c = std::make_shared<beast_websocket>(std::move(opened), std::move(r.request), limits);
  static_cast<void>(co_await async::with_frame(run_websocket(c, std::move(r.to), drains)));
  co_return c->how();
}

}  // namespace detail

/// ---- Client ----

static websocket_opened refused(const boost::system::error_code& e, std::string why) {
  websocket_opened all;
  all.ended = e == status::cancelled ? status::cancelled : status::closed;
  all.why = std::move(why);
  return all;
}

/// The reason that the opening request is not sent; empty: it is.
static std::string fault_of(const http_request& r) {
  if (!detail::is_target(r.target)) return "the target has a character that has to be written as %XX";
  for (const http_header& h : r.headers) {
    if (!detail::is_token(h.name)) return "the name of a header is no token";
    if (!detail::is_field_value(h.value)) return "the header " + h.name + " has a control character";
  }
  return {};
}

/// The reason that the answer is refused; empty: the server has chosen what the client has offered.
/// Source   RFC 6455, 4.1.
static std::string fault_of_answer(const detail::ws::response_type& answer, const http_request& r, bool compresses) {
  if (!detail::is_answer_to_offer(detail::extensions_in(answer), compresses)) {
    return "the server has chosen an extension that was not offered";
  }
  const auto chosen = answer.find(detail::http::field::sec_websocket_protocol);
  const std::string* const offered = r.header("Sec-WebSocket-Protocol");
  const bool is_fine =
      chosen == answer.end() || (offered && detail::http::token_list(*offered).exists(chosen->value()));
  return is_fine ? "" : "the server has chosen a subprotocol that was not offered";
}

static async::task<websocket_opened> open(websocket_limits limits, tcp_place to, http_request what) {
  namespace ws = detail::ws;
  const std::string fault = fault_of(what);
  if (!fault.empty()) {
    websocket_opened none;
    none.ended = status::no_right;
    none.why = fault;
    co_return none;
  }
  detail::tcp_link l{detail::tcp_link::socket(detail::network_context())};
  const detail::connected to_server = co_await async::with_frame(detail::connect(l, to, detail::tls_protocol::http));
  if (to_server.error) co_return refused(to_server.error, to_server.why);
  detail::websocket_stream opened = detail::stream_over(std::move(l));
  detail::set_compression(opened, limits.compresses);
  opened.set_option(ws::stream_base::decorator([what](ws::request_type& r) {
    for (const http_header& h : what.headers) r.set(h.name, h.value);
  }));
  const bool has_colon = to.address.find(':') != std::string::npos;
  const std::string host = (has_colon ? "[" + to.address + "]" : to.address) + ":" + std::to_string(to.port);
  ws::response_type answer;
  auto [error] = co_await opened.async_handshake(answer, host, what.target, asio::use_baton);
  if (error == ws::error::upgrade_declined) {
    co_return refused(
        error, "the server has answered " + std::to_string(answer.result_int()) + " " + std::string(answer.reason()));
  }
  if (error) co_return refused(error, opened.next_layer().why(error));
  const std::string choice = fault_of_answer(answer, what, limits.compresses);
  if (!choice.empty()) co_return refused(error, choice);
  auto one = std::make_unique<detail::beast_websocket>(std::move(opened), std::move(what), limits, true);
  one->begin();
  websocket_opened all;
  all.connection = std::move(one);
  co_return all;
}

static async::task<websocket_opened> open_within(websocket_limits limits, duration patience, tcp_place to,
                                                 http_request what) {
  async::result<websocket_opened> got = co_await async::within(patience, open(limits, std::move(to), std::move(what)));
  if (got) co_return std::move(*got);
  if (got.status() == status::full) throw std::bad_alloc();
  websocket_opened none;
  none.ended = got.status();
  co_return none;
}

async::task<websocket_opened> beast_websocket_client::connect(tcp_place to, std::string target,
                                                              std::vector<http_header> headers) {
  http_request what("GET", std::move(target));
  what.headers = std::move(headers);
  return async::with_frame(open_within(limits_, patience_, std::move(to), std::move(what)));
}

}  // namespace baton::BATON_VARIANT::components
