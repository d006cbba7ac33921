// SPDX-License-Identifier: MIT
// only: g++
// error: g\+\+ 12 destroys this argument twice in a co_await: make it a variable, or give its type a constructor
#include <baton/async.hpp>
#include <baton/async/blocking.hpp>
#include <string>

struct options {
  std::string name;
  int count;
};
size_t use(options o) {
  return o.name.size();
}

baton::async::task<> body(baton::async::blocking_pool& pool, std::string name) {
#if FAILS
  (void)co_await baton::async::blocking(pool, use, options{name, 2});
#else
  const options two{name, 2};
  (void)co_await baton::async::blocking(pool, use, two);
#endif
}
