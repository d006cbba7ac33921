// SPDX-License-Identifier: MIT
// error: ignoring return value|-Wunused-result
// lines: 10
#include <baton/core.hpp>

baton::channel<int, 2> pipe;

void put() {
#if FAILS
  pipe.try_send(1);
#else
  if (pipe.try_send(1) != baton::status::ok) pipe.close();
#if defined(__clang__) || __GNUC__ >= 7
  (void)pipe.try_send(2);
#endif
#endif
}
