// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/essentials.hpp>
#include <baton/async/with_frame.hpp>
#include <baton/components/tcp_place.hpp>
#include <baton/service/context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <stdexcept>
#include <sys/socket.h>

#include "asio_socket.hpp"
#include "connection_places.hpp"
#include "tcp_link.hpp"

namespace baton::BATON_VARIANT::components::detail {

using boost::asio::ip::tcp;

inline tcp::endpoint endpoint_of(const tcp_place& p) {
  return {boost::asio::ip::make_address(p.address), p.port};
}

/// The counters of a server that its listener counts.
struct accept_counters {
  uint64_t& turned_away;
  uint64_t& not_accepted;
};

/// Throws the system's error unless the port can be shared.
inline void share_port(tcp::acceptor& a) {
  const int yes = 1;
  if (::setsockopt(a.native_handle(), SOL_SOCKET, SO_REUSEPORT, &yes, sizeof yes) != 0)
    throw boost::system::system_error(errno, boost::system::system_category());
}

/// A copy of a socket that the program was given.
inline tcp::acceptor listening_by(int descriptor, boost::asio::io_context& in) {
  int listens = 0;
  socklen_t size = sizeof listens;
  sockaddr_storage name{};
  socklen_t name_size = sizeof name;
  const bool is_socket = ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0 &&
                         ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &name_size) == 0;
  if (!is_socket || (name.ss_family != AF_INET && name.ss_family != AF_INET6))
    throw std::invalid_argument("the descriptor " + std::to_string(descriptor) + " is no TCP socket that listens");
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw boost::system::system_error(errno, boost::system::system_category());
  return {in, name.ss_family == AF_INET ? tcp::v4() : tcp::v6(), copy};
}

inline tcp::acceptor listening_at(const tcp_place& p, const service::context& here) {
  boost::asio::io_context& in = network_context(here.worker().name());
  if (p.descriptor >= 0) return listening_by(p.descriptor, in);
  const tcp::endpoint at = endpoint_of(p);
  tcp::acceptor door(in, at.protocol());
  door.set_option(tcp::acceptor::reuse_address(true));
  if (p.is_shared) share_port(door);
  door.bind(at);
  door.listen();
  return door;
}

/// Accepts connections and serves each in a coroutine, at most `most` at once, and at most
/// `per_peer` of one address.
///
/// Want of descriptors or memory ends no connection that is open. The system keeps those that
/// cannot be accepted; they are tried again every 10 ms. The first failure in a row is told, and so
/// is the end of the row.
///
/// Context  a thread whose loop is over `asio::poller`.
/// Errors   boost::system::system_error: the place is not an address, or the system refuses to
///          listen there. std::invalid_argument: the place is secured by a client's side of TLS, or
///          its descriptor is no TCP socket that listens. std::logic_error: its worker has no
///          network.
class asio_listener {
 public:
  using place = std::unique_ptr<connection_place>;

  asio_listener(service::context here, const tcp_place& p, tls_protocol speaks, uint32_t most, uint32_t per_peer)
      : here_(here),
        security_(p.security),
        speaks_(speaks),
        door_(listening_at(p, here)),
        port_(door_.local_endpoint().port()),
        places_(most, per_peer) {
    if (security_ && !security_->is_for_servers()) {
      throw std::invalid_argument("a server's place is secured by a tls_server");
    }
  }

  uint16_t port() const noexcept { return port_; }

  /// Accepts until it is stopped or drains. Then it ends when the connections have; a stop stops
  /// them. `serve(link, place)` does not throw. `refusal` is sent to those who are turned away.
  template <typename Serve>
  async::task<> accept(accept_counters counts, std::string_view refusal, Serve serve) {
    async::scope open;
    for (;;) {
      bool has_memory = true;
      try {
        auto [error, client] = co_await door_.async_accept(asio::use_baton);
        if (error == status::cancelled || !door_.is_open()) break;
        if (!error) {
          admit(open, std::move(client), counts, refusal, serve);
          continue;
        }
        if (is_want(error)) note_want(counts, error);
      } catch (const std::bad_alloc&) {
        has_memory = false;
      }
      if (!has_memory) note_want(counts, boost::asio::error::no_memory);
      // The client is gone already, or the system is out of a resource. Accept again, after a
      // pause.
      const status slept = co_await async::sleep_for(milliseconds(10));
      if (slept != status::ok) break;
    }
    door_.close();
    co_await open.join();
  }

  /// Accepts nobody any more, and asks the connections that wait to go.
  void drain() {
    boost::system::error_code ignored;
    door_.close(ignored);
    places_.release_idle();
  }

 private:
  using error_code = boost::system::error_code;

  template <typename Serve>
  void admit(async::scope& open, tcp::socket client, accept_counters& counts, std::string_view refusal, Serve& serve) {
    error_code ignored;
    const tcp::endpoint peer = client.remote_endpoint(ignored);
    place own = places_.take(peer.address());
    if (!own) {
      ++counts.turned_away;
      return turn_away(client, refusal);
    }
    client.set_option(tcp::no_delay(true), ignored);
    open.spawn(async::with_frame(serve(link_over(std::move(client)), std::move(own))));
    if (wants_in_a_row_ != 0) note_end_of_want();
  }

  tcp_link link_over(tcp::socket client) const {
    return security_ ? tcp_link(security_->secure(std::move(client), {}, speaks_)) : tcp_link(std::move(client));
  }

  /// True if the system is out of descriptors or memory.
  static bool is_want(const error_code& e) noexcept {
    namespace errc = boost::system::errc;
    return e == errc::too_many_files_open || e == errc::too_many_files_open_in_system || e == errc::no_buffer_space ||
           e == errc::not_enough_memory;
  }
  void note_want(accept_counters& counts, const error_code& why) noexcept {
    ++counts.not_accepted;
    if (++wants_in_a_row_ != 1) return;
    tell([&] { return " cannot accept a connection: " + why.message() + "\n  it goes on to try"; });
  }
  void note_end_of_want() noexcept {
    tell([&] { return " accepts connections again, after " + std::to_string(wants_in_a_row_) + " failures"; });
    wants_in_a_row_ = 0;
  }
  /// A line that there is no memory for is lost; the counter has the failure.
  template <typename Words>
  void tell(Words words) const noexcept {
    try {
      here_.tell("'" + std::string(here_.name()) + "' at port " + std::to_string(port_) + words());
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  /// Sends as much as the system accepts at once: whoever has no place takes no time either.
  void turn_away(tcp::socket& client, std::string_view refusal) const {
    if (refusal.empty() || security_) return;
    boost::system::error_code ignored;
    client.non_blocking(true, ignored);
    client.write_some(boost::asio::const_buffer(refusal.data(), refusal.size()), ignored);
    client.shutdown(tcp::socket::shutdown_send, ignored);
  }

  const service::context here_;
  const std::shared_ptr<const tls_maker> security_;
  const tls_protocol speaks_;
  tcp::acceptor door_;
  const uint16_t port_;
  connection_places places_;
  uint64_t wants_in_a_row_ = 0;
};

}  // namespace baton::BATON_VARIANT::components::detail
