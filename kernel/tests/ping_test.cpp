// SPDX-License-Identifier: MIT
#include <baton/kernel.hpp>
#include <baton/test/check.hpp>

namespace kernel = baton::kernel;

namespace {

kernel::tid server;
char heard[3];

void serve(void*) {
  for (;;) {
    kernel::received m = kernel::receive(heard, sizeof heard);
    CHECK_EQ(m.length(), sizeof heard);
    kernel::reply(m.client, "ok", 3);
  }
}

void ask(void*) {
  char reply[3] = "";
  CHECK(kernel::send(server, "hi", 3, reply, sizeof reply));
  CHECK_EQ(reply[0], 'o');
}

}  // namespace

TEST_CASE("a message goes to a server, and its reply comes back") {
  static kernel::system<2> system;
  static kernel::stack<16384> first, second;
  server = system.create(kernel::describe(1, serve, first, "server")).id;
  CHECK(system.create(kernel::describe(1, ask, second, "client")));
  system.run();
  CHECK_EQ(heard[0], 'h');
}
