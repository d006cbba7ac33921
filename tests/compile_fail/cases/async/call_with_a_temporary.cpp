// SPDX-License-Identifier: MIT
// only: g++
// error: g\+\+ 12 destroys this temporary twice: make it a variable, or give its type a constructor
#include <baton/async.hpp>
#include <string>

struct order {
  std::string what;
  int count;
};
baton::endpoint<order, int> desk;

baton::async::task<> body(std::string what) {
#if FAILS
  (void)co_await baton::async::call(desk, order{what, 2});
#else
  const order two{what, 2};
  (void)co_await baton::async::call(desk, two);
#endif
}
