// SPDX-License-Identifier: MIT
//
// The parts of Beast that are compiled once.
#include <boost/beast/src.hpp>
