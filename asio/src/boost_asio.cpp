// SPDX-License-Identifier: MIT
//
// What of Asio need not be in every program.
#include <boost/asio/impl/src.hpp>
