// SPDX-License-Identifier: MIT
// error: what the case gives would be lost: give the case a name
#include <baton/async.hpp>

baton::channel<int> numbers;
baton::signal bell;

baton::async::task<> body() {
#if FAILS
  (void)co_await baton::async::select(bell.wait(), baton::async::receive(numbers));
#else
  auto number = baton::async::as_case(baton::async::receive(numbers));
  (void)co_await baton::async::select(bell.wait(), number);
#endif
}
