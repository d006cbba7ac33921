// SPDX-License-Identifier: MIT
//
// Threads that come and go leave nothing of their alarms behind: a timer of Linux is the process's, and there are not many.
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
