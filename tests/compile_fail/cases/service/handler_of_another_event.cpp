// SPDX-License-Identifier: MIT
// error g++: no matching function for call to
// error clang++: no matching member function for call to 'on'
// lines: 40
#include <baton/service.hpp>

struct one {};
struct other {};

baton::service::registration listen(baton::service::context here) {
#if FAILS
  return here.on<one>([](const other&) {});
#else
  return here.on<one>([](const one&) {});
#endif
}
