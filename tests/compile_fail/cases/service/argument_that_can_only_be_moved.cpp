// SPDX-License-Identifier: MIT
// error: one of the arguments can only be moved
// lines: 24
#include <baton/service.hpp>
#include <memory>

#if FAILS
using pointer = std::unique_ptr<int>;
#else
using pointer = std::shared_ptr<int>;
#endif
struct shop {
  explicit shop(pointer) {}
};

void fill(baton::service::application& app) {
  app.add<shop>(pointer(new int(3)));
}
