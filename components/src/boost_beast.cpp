// SPDX-License-Identifier: MIT
//
// What of Beast need not be in every program.
#include <boost/beast/src.hpp>
