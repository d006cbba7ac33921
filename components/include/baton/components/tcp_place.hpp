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
  std::string address;
  uint16_t port;
};

}  // namespace baton::BATON_VARIANT::components
