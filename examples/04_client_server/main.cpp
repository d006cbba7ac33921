// SPDX-License-Identifier: MIT
//
// A client calls a server through an endpoint: send, receive, reply. A call may have a deadline. If
// a server goes away while it holds a request, the call ends with an error, so the client never
// hangs.
#include <baton/board.hpp>
#include <baton/core.hpp>

using namespace baton::literals;

baton::board::console console;
using desk_type = baton::endpoint<uint16_t, uint32_t>;  // a number is asked, its square is the reply
desk_type desk;

// `serving` holds the request in `current`, and releases the client if the server ends without a
// reply.
struct server : baton::coroutine<server, baton::serving<uint16_t, uint32_t, baton::timed_waiting>> {
  baton::point step(baton::point at) {
    BATON_BEGIN();
    for (;;) {
      BATON_WAIT(desk.receive(current));
      if (current.request() == 0) break;                // a bad request: this server dies of it
      if (current.request() > 99) BATON_DELAY_MS(200);  // a request that takes long
      square_ = static_cast<uint32_t>(current.request()) * current.request();
      if (desk.reply(current, square_) == baton::status::peer_gone)
        baton::print_line(console, "server: nobody waits for ", square_);
    }
    baton::print_line(console, "server: ends");
    BATON_END();
  }

  uint32_t square_ = 0;
};

struct client : baton::coroutine<client, baton::deadline> {  // `deadline` adds waits with a deadline
  baton::point step(baton::point at) {
    BATON_BEGIN();
    ask(7);
    BATON_WAIT(desk.call(call_));
    report();

    ask(100);
    BATON_WAIT_FOR(50_ms, desk.call(call_));
    report();

    ask(8);  // the server still works on 100; this call has no deadline and waits its turn
    BATON_WAIT(desk.call(call_));
    report();

    ask(0);
    BATON_WAIT(desk.call(call_));
    report();

    ask(9);  // there is no server to receive it
    BATON_WAIT_FOR(50_ms, desk.call(call_));
    report();

    baton::scheduler::stop();
    BATON_END();
  }

  void ask(uint16_t number) {
    call_.request = number;
    baton::print_line(console, "client: asks for ", number);
  }

  void report() const {
    switch (result()) {
      case baton::status::ok:
        return baton::print_line(console, "client: got ", call_.reply);
      case baton::status::timed_out:
        return baton::print_line(console, "client: too late");
      case baton::status::peer_gone:
        return baton::print_line(console, "client: the server went away");
      default:
        return baton::print_line(console, "client: no answer");
    }
  }

  desk_type::exchange_type call_;  // the request and the reply of one call at a time
};

server square_server;
client number_client;

int main() {
  baton::board::start();
  square_server.start();
  number_client.start();
  baton::scheduler::run();
  baton::board::finish(0);
}
