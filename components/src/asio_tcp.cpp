// SPDX-License-Identifier: MIT
#include <baton/components/asio_tcp_client.hpp>
#include <baton/components/asio_tcp_server.hpp>

#include "asio_connect.hpp"
#include "asio_listener.hpp"
#include "asio_tcp_connection.hpp"

namespace baton::BATON_VARIANT::components {

/// ---- Server ----

struct asio_tcp_server::state {
  state(service::context here, tcp_handler s, const tcp_place& at, const tcp_limits& l)
      : serve(std::move(s)), limits(l), door(here, at, l.connections, l.connections_per_peer) {}

  static async::task<> run(detail::tcp::socket s, detail::asio_listener::place, state& of) {
    ++of.counts.connections;
    ++of.counts.open;
    bool has_failed = false;
    try {
      detail::asio_tcp_connection one(std::move(s), of.limits.times);
      co_await async::with_frame(of.serve(one));
    } catch (...) {
      has_failed = true;
    }
    --of.counts.open;
    ++(has_failed ? of.counts.failed : of.counts.ended);
  }

  const tcp_handler serve;
  const tcp_limits limits;
  tcp_counters counts;
  detail::asio_listener door;
};

asio_tcp_server::asio_tcp_server(service::context here, tcp_handler serve, const tcp_place& at, const tcp_limits& l)
    : state_(std::make_unique<state>(here, std::move(serve), at, l)) {
  state& s = *state_;
  here.spawn(s.door.accept({s.counts.turned_away, s.counts.not_accepted}, {},
                           [&s](detail::tcp::socket one, detail::asio_listener::place place) {
                             return state::run(std::move(one), std::move(place), s);
                           }));
}
asio_tcp_server::~asio_tcp_server() = default;

uint16_t asio_tcp_server::port() const {
  return state_->door.port();
}
tcp_counters asio_tcp_server::counters() const {
  return state_->counts;
}

/// ---- Client ----

static async::task<tcp_opened> open(tcp_times times, duration patience, tcp_place to) {
  boost::asio::ip::tcp::socket s(asio::context());
  tcp_opened opened;
  async::result<boost::system::error_code> got = co_await async::within(patience, detail::connect(s, std::move(to)));
  if (got.status() == status::full) throw std::bad_alloc();
  if (!got) {
    opened.ended = got.status();
  } else if (got->failed()) {
    opened.ended = *got == status::cancelled ? status::cancelled : status::closed;
    opened.why = got->message();
  } else {
    opened.connection = std::make_unique<detail::asio_tcp_connection>(std::move(s), times);
  }
  co_return opened;
}

async::task<tcp_opened> asio_tcp_client::connect(tcp_place to) {
  return async::with_frame(open(times_, patience_, std::move(to)));
}

}  // namespace baton::BATON_VARIANT::components
