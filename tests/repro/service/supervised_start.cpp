// SPDX-License-Identifier: MIT
// A supervised provider whose first start fails is not retried while another service waits for it:
// exit code 10.
// Issue: Services and network.
#include "reproduction.hpp"

namespace {

struct database {
  void start() {
    static int tries = 0;
    if (++tries < 3) throw std::runtime_error("connection refused");
  }
};

struct job {
  job(required<database>, context here) { here.quit(); }
};

}  // namespace

int main() {
  application app;
  app.add<database>().supervised(back_off{milliseconds(1), milliseconds(4), 5});
  app.add<job>();
  expect(app.run() == 0, "the provider is started again, and the job runs");
  return outcome_of_expectations();
}
