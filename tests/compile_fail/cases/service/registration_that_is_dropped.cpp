// SPDX-License-Identifier: MIT
// error: the handler hears nothing when its registration is gone: keep it, as a member
// lines: 24
#include <baton/service.hpp>

struct one {};

void listen(baton::service::context here) {
#if FAILS
  here.on<one>([](const one&) {});
#else
  static const baton::service::registration kept = here.on<one>([](const one&) {});
#endif
}
