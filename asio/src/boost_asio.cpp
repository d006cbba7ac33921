// SPDX-License-Identifier: MIT
//
// The parts of Asio that are compiled once, instead of in every program.
#include <boost/asio/impl/src.hpp>
