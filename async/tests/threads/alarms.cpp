// SPDX-License-Identifier: MIT
//
// Threads that begin and end leave none of their alarms behind: the timers of Linux belong to the
// process, and their number is limited.
#include <baton/host/clock.hpp>
#include <sys/resource.h>

#include "rig.hpp"

namespace {

constexpr unsigned threads = 1000;

void set_alarms() {
  baton::host::set_alarm(baton::host::now() + 1000000);
  baton::host::set_alarm(baton::host::now() + 2000000000, baton::host::kernels_alarm);
}

}  // namespace

int main() {
  rlimit most{};
  CHECK(getrlimit(RLIMIT_SIGPENDING, &most) == 0);
  most.rlim_cur = most.rlim_max < 256 ? most.rlim_max : 256;
  CHECK(setrlimit(RLIMIT_SIGPENDING, &most) == 0);
  for (unsigned n = 0; n != threads; ++n) std::thread(set_alarms).join();
  return rig::verdict();
}
