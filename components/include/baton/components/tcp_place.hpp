// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>
#include <cstdint>
#include <string>

namespace baton::BATON_VARIANT::components {

/// Where a server listens, or a client connects to.
///
/// Shape    an address, and a name where that is said. A server that is told nothing listens on the loopback interface alone, at a port that is free.
struct tcp_place {
  explicit tcp_place(uint16_t p = 0, std::string a = "127.0.0.1") : address(std::move(a)), port(p) {}
  std::string address;
  uint16_t port;
};

}  // namespace baton::BATON_VARIANT::components
