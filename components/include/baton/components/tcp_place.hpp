// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstdint>
#include <string>

namespace baton::BATON_VARIANT::components {

/// The address that a server listens at, or that a client connects to.
///
/// Shape    an address, or a host name where a function accepts one. By default a server listens on
///          the loopback interface alone, at a free port.
struct tcp_place {
  explicit tcp_place(uint16_t p = 0, std::string a = "127.0.0.1") : address(std::move(a)), port(p) {}

  /// Lets a server listen beside servers of other workers at the same place. The kernel gives each
  /// of them its share of the connections (SO_REUSEPORT).
  ///
  ///     w.add<beast_http_server, http_server>(tcp_place(8080).shared());  // for each worker `w`
  ///
  /// Context  all of them have to share. Processes of the same user can join, so a second start of
  ///          the program is not refused.
  tcp_place& shared() noexcept {
    is_shared = true;
    return *this;
  }

  std::string address;
  uint16_t port;
  bool is_shared = false;
};

}  // namespace baton::BATON_VARIANT::components
