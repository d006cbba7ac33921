// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio.hpp>
#include <baton/async/essentials.hpp>
#include <string>

#include "tcp_link.hpp"

namespace baton::BATON_VARIANT::components::detail {

/// The end of an attempt to connect: no error, or an error and the reason.
struct connected {
  boost::system::error_code error;
  std::string why;
};

/// Connects to an address, or to one of the addresses of a name, and secures the connection if the
/// place says so.
async::task<connected> connect(tcp_link& l, tcp_place to, tls_protocol speaks);

}  // namespace baton::BATON_VARIANT::components::detail
