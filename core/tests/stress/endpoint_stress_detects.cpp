// SPDX-License-Identifier: MIT
#include "endpoint_stress.hpp"

// The stress test must be able to fail: these are endpoints with one mutation each. Mutants of core
// itself were tried by hand, and each was found: a client that gives up and stays with its server,
// a server that goes away silently, a deadline that does not reach a call that is being served, a
// reply that leaves the server open.

using namespace stress;

namespace {

using sound = endpoint<message, message>;

struct never_late : sound {
  status reply(served_type& s, const message& m) {
    static_cast<void>(sound::reply(s, m));
    return status::ok;
  }
};

struct garbled : sound {
  status reply(served_type& s, message m) {
    if (++turns % 64 == 0) ++m.number;
    return sound::reply(s, m);
  }
  uint8_t turns = 0;
};

struct forgetful : sound {
  status reply(served_type& s, const message& m) {
    if (++turns % 64 != 0 || !s.is_open()) return sound::reply(s, m);
    s.abandon();
    return status::ok;
  }
  uint8_t turns = 0;
};

template <typename Endpoint>
fault found_at() {
  endpoint_stress<Endpoint> s(7);
  rage(s, 20000);
  return s.found.first;
}

}  // namespace

TEST_CASE("the endpoint without a mutation passes") {
  CHECK_EQ(found_at<sound>(), fault::none);
}

TEST_CASE("a late reply that is said to have arrived is found") {
  CHECK_EQ(found_at<never_late>(), fault::wrong_status);
}

TEST_CASE("a reply to another request is found") {
  CHECK_EQ(found_at<garbled>(), fault::wrong_reply);
}

TEST_CASE("a client whose reply is forgotten is found") {
  CHECK_EQ(found_at<forgetful>(), fault::wrong_status);
}
