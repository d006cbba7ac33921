// SPDX-License-Identifier: MIT
// `within(ticks, task<status>)` does not compile, so the wait for a service's start cannot have a
// deadline.
// Issue: Services and network.
#include <baton/async/task_within.hpp>

#include "reproduction.hpp"

async::task<> waits(context here, service_id service) {
  const auto how = co_await async::within(seconds(1), here.started(service));
  static_cast<void>(how);
}
