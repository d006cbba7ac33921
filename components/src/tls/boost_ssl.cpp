// SPDX-License-Identifier: MIT
//
// The parts of Asio's TLS that are compiled once.
#include <boost/asio/ssl/impl/src.hpp>
