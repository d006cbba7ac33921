// SPDX-License-Identifier: MIT
// An optional dependency that is used across an await is read after its provider was destroyed.
// Issue: Services and network.
#include <vector>

#include "reproduction.hpp"

namespace {

struct cache {
  async::task<int> look(size_t key) {
    static_cast<void>(co_await async::sleep_for(milliseconds(5)));
    co_return all[key];
  }
  std::vector<int> all = std::vector<int>(10, 7);
};

struct user {
  user(optional<cache> c, context here) : from(c) { here.spawn(work(here)); }
  async::task<> work(context here) {
    static_cast<void>(co_await async::sleep_for(milliseconds(5)));
    if (from) std::printf("%d\n", co_await from->look(3));
    here.quit();
  }
  optional<cache> from;
};

async::task<> removes(context here, service_id provider) {
  static_cast<void>(co_await async::sleep_for(milliseconds(7)));
  here.remove(provider);
}

}  // namespace

int main() {
  application app;
  const service_id provider = app.add<cache>();
  app.add<user>();
  app.main().run(removes(app.main(), provider));
  return app.run();
}
