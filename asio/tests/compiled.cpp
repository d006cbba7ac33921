// SPDX-License-Identifier: MIT
//
// What of Asio and Beast need not be in every program.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
