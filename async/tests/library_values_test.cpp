// SPDX-License-Identifier: MIT
//
// Results of types of the C++ library, which boards do not have.
#include <baton/async.hpp>
#include <baton/test/check.hpp>
#include <memory>
#include <string>
#include <utility>

using namespace baton;
using async::result;

TEST_CASE("a result holds a shared pointer: copied, moved and assigned, each is destroyed once") {
  auto counted = std::make_shared<int>(7);
  {
    result<std::shared_ptr<int>> a = counted;
    result<std::shared_ptr<int>> b = a;
    result<std::shared_ptr<int>> c = status::closed;
    CHECK_EQ(counted.use_count(), 3);
    c = b;
    CHECK_EQ(counted.use_count(), 4);
    b = status::timed_out;
    CHECK_EQ(counted.use_count(), 3);
    CHECK_EQ(**c, 7);
    const std::shared_ptr<int> out = std::move(c).value();
    CHECK_EQ(*out, 7);
  }
  CHECK_EQ(counted.use_count(), 1);
}

TEST_CASE("a result holds a text of the heap") {
  const result<std::string> text = std::string("long enough to lie on the heap, this one");
  CHECK_EQ(text->size(), 40u);
}
