// SPDX-License-Identifier: MIT
// The compiler gives the wrong reason for an abstract service and for an argument that can only be
// moved.
// Issue: Services and network.
#include <memory>

#include "reproduction.hpp"

#if CASE == 1
struct owner {
  explicit owner(std::unique_ptr<int>) {}
};
void f(application& app) {
  app.add<owner>(std::make_unique<int>(3));
}
#elif CASE == 2
struct face {
  virtual ~face() = default;
  virtual void f() = 0;
};
struct half : face {};
void f(application& app) {
  app.add<half, face>();
}
#endif
