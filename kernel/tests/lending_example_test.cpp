// SPDX-License-Identifier: MIT
#include <baton/kernel.hpp>
#include <baton/test/check.hpp>
#include <string.h>
#include <string>

// The example of docs/kernel.md: a server of pages fills its client's memory.

using namespace baton;

namespace {

struct page_request {
  uint8_t number;
};
struct page_reply {
  uint16_t bytes;
};
constexpr kernel::word no_room_for_a_page = 1;

kernel::system<2> program;
kernel::stack<65536> client_stack, pager_stack;
kernel::tid pager;
std::string said;

void say(const char* text, uint16_t bytes) {
  said.assign(text, bytes);
}

const char* page_of(uint8_t number) {
  static char page[256];
  memset(page, 'a' + number, sizeof page);
  return page;
}

void client(void*) {
  const page_request q = {3};
  page_reply a;
  static char page[256];
  kernel::ipc_result o = kernel::send_lending(pager, &q, sizeof q, &a, sizeof a, {kernel::lend_to_write(page, 256)});
  if (o) say(page, a.bytes);
}

void serve(void*) {
  page_request q;
  const page_reply a = {256};
  kernel::received m = kernel::receive(&q, sizeof q);
  if (kernel::copy_to(m.client, 0, 0, page_of(q.number), 256)) {
    kernel::reply(m.client, &a, sizeof a);
  } else {
    kernel::reply_error(m.client, no_room_for_a_page);
  }
}

}  // namespace

TEST_CASE("the example of docs/kernel.md fills a page of the client's") {
  pager = program.create(kernel::describe(2, serve, pager_stack, "pager")).id;
  program.create(kernel::describe(1, client, client_stack, "client"));
  program.run();
  CHECK_EQ(said, std::string(256, 'd'));
}
