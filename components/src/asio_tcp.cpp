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
      : serve(std::move(s)),
        limits(l),
        door(here, at, detail::tls_protocol::any, l.connections, l.connections_per_peer) {}

  /// A connection that has not finished its handshake gives way.
  struct stranger final : detail::connection_place::holder {
    explicit stranger(detail::tcp_link& l) : link(l) {}
    void give_way() override { link.close(); }
    detail::tcp_link& link;
  };
  static async::task<bool> has_greeted(detail::tcp_link& l, detail::connection_place& place, duration limit) {
    stranger one(l);
    place.hold(one);
    const boost::system::error_code error = co_await async::with_frame(detail::greet(l, limit));
    place.become(detail::place_use::busy);
    co_return !error;
  }
  static async::task<> run(detail::tcp_link l, detail::asio_listener::place place, state& of) {
    ++of.counts.connections;
    ++of.counts.open;
    uint64_t tcp_counters::*end = &tcp_counters::ended;
    try {
      bool is_known = true;
      if (l.is_secured()) {
        is_known = co_await async::with_frame(has_greeted(l, *place, of.limits.handshake_time));
      }
      if (is_known) {
        detail::connection_place* const own = of.limits.idle_gives_way ? place.get() : nullptr;
        detail::asio_tcp_connection one(std::move(l), of.limits.times, own);
        co_await async::with_frame(of.serve(one));
        if (one.has_given_way()) {
          end = &tcp_counters::released;
        } else if (one.is_secured()) {
          co_await async::with_frame(one.end());
        }
      } else {
        end = &tcp_counters::handshake_failed;
      }
    } catch (...) {
      end = &tcp_counters::failed;
    }
    --of.counts.open;
    ++(of.counts.*end);
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
                           [&s](detail::tcp_link one, detail::asio_listener::place place) {
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
  detail::tcp_link l{detail::tcp_link::socket(detail::network_context())};
  tcp_opened opened;
  async::result<detail::connected> got =
      co_await async::within(patience, detail::connect(l, std::move(to), detail::tls_protocol::any));
  if (got.status() == status::full) throw std::bad_alloc();
  if (!got) {
    opened.ended = got.status();
  } else if (got->error) {
    opened.ended = got->error == status::cancelled ? status::cancelled : status::closed;
    opened.why = got->why;
  } else {
    opened.connection = std::make_unique<detail::asio_tcp_connection>(std::move(l), times);
  }
  co_return opened;
}

async::task<tcp_opened> asio_tcp_client::connect(tcp_place to) {
  return async::with_frame(open(times_, patience_, std::move(to)));
}

}  // namespace baton::BATON_VARIANT::components
