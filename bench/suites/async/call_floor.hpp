// SPDX-License-Identifier: MIT
#pragma once

#include "floor_coroutine.hpp"

namespace suite_async {
namespace minimal {

// ---- call: the client copies its request to the waiting server, which runs next; the server
// copies its reply to the client

template <size_t Bytes>
struct calls : workload {
  using message = block<Bytes>;

  static promise* server;
  static message* to_server;
  static promise* client;
  static message* to_client;
  static uint32_t answered;

  struct ask : suspends {
    ask(const message& q, message& a) : request(q), reply(a) {}
    std::coroutine_handle<> await_suspend(handle h) const noexcept {
      client = &h.promise();
      to_client = &reply;
      *to_server = request;
      return ready.wait_and_run(client, server);
    }
    const message& request;
    message& reply;
  };
  struct receive : suspends {
    explicit receive(message& q) : request(q) {}
    std::coroutine_handle<> await_suspend(handle h) const noexcept {
      server = &h.promise();
      to_server = &request;
      ready.leave(server);
      return ready.next();
    }
    message& request;
  };

  static body call() {
    message request, reply;
    for (uint32_t n = 0; n != operations::count(); ++n) {
      request.word = n;
      co_await ask(request, reply);
      answered += reply.word == n + 1;
    }
  }
  static body serve() {
    message request;
    for (uint32_t n = 0; n != operations::count(); ++n) {
      co_await receive(request);
      *to_client = answer_to(request);
      ready.push(client);
    }
  }
  static void prepare() {
    answered = 0;
    serve();
    call();
  }
  static void run() { ready.run(); }
  static bool finish() { return answered == operations::count(); }
};
template <size_t Bytes>
promise* calls<Bytes>::server;
template <size_t Bytes>
block<Bytes>* calls<Bytes>::to_server;
template <size_t Bytes>
promise* calls<Bytes>::client;
template <size_t Bytes>
block<Bytes>* calls<Bytes>::to_client;
template <size_t Bytes>
uint32_t calls<Bytes>::answered;

}  // namespace minimal
}  // namespace suite_async
