// SPDX-License-Identifier: MIT
//
// A library over Asio is awaited like Asio itself: HTTP with Boost.Beast.
//
//     18_http_get                       asks a small server of its own on the loopback interface
//     18_http_get example.org 80 /      asks another server
#include <baton/asio.hpp>
#include <baton/async/loop.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <string>

#include "../support/say.hpp"

using namespace baton::literals;
namespace async = baton::async;
namespace http = boost::beast::http;
namespace net = boost::asio;

using baton::asio::use_baton;
using net::ip::tcp;

using request = http::request<http::empty_body>;
using response = http::response<http::string_body>;

/// Gets a page, with a deadline for each step.
/// Errors   boost::system::system_error
async::task<response> get(std::string host, std::string port, std::string target) {
  const baton::duration patience = 10_s;
  tcp::resolver resolver(baton::asio::context());
  auto places = (co_await resolver.async_resolve(host, port, use_baton)).value();
  tcp::socket s(baton::asio::context());
  (co_await async::within(patience, net::async_connect(s, places, use_baton))).value();

  request wanted(http::verb::get, target, 11);
  wanted.set(http::field::host, host);
  wanted.set(http::field::connection, "close");
  (co_await async::within(patience, http::async_write(s, wanted, use_baton))).value();

  boost::beast::flat_buffer buffer;
  response got;
  (co_await async::within(patience, http::async_read(s, buffer, got, use_baton))).value();
  co_return got;
}

/// Answers one request; one for /slow never gets an answer.
async::task<> serve_one(tcp::socket client) {
  boost::beast::flat_buffer buffer;
  request wanted;
  (co_await http::async_read(client, buffer, wanted, use_baton)).value();
  if (wanted.target() == "/slow") {
    co_await async::sleep_for(1000_s);
    co_return;
  }
  const bool is_known = wanted.target() == "/greeting";
  response answer(is_known ? http::status::ok : http::status::not_found, 11);
  answer.set(http::field::content_type, "text/plain");
  answer.body() = is_known ? "Good morning." : "There is no such page.";
  answer.prepare_payload();
  (co_await http::async_write(client, answer, use_baton)).value();
}

async::task<> serve(tcp::acceptor& door) {
  async::scope clients;
  for (;;) {
    auto [error, client] = co_await door.async_accept(use_baton);
    if (error) break;
    clients.spawn(serve_one(std::move(client)));
  }
  co_await clients.join();
}

async::task<> print(std::string host, std::string port, std::string target) {
  try {
    const response got = co_await get(host, port, target);
    say(target.c_str(), ": ", got.result_int(), ", ", got.body().c_str());
  } catch (const boost::system::system_error& what) {
    say(target.c_str(), ": ", what.code().message().c_str());
  }
}

async::task<> demonstrate(std::string port, async::loop& all) {
  co_await print("127.0.0.1", port, "/greeting");
  co_await print("127.0.0.1", port, "/nothing");

  // A user loses patience: a stop of the scope ends the waits of its coroutines.
  async::scope hurried;
  hurried.spawn(print("127.0.0.1", port, "/slow"));
  co_await async::sleep_for(200_ms);
  hurried.stop();
  co_await hurried.join();
  all.stop();
}

int main(int count, char** words) {
  baton::board::start();
  baton::asio::poller io;
  async::loop all(io);
  tcp::acceptor door(io.context(), {net::ip::address_v4::loopback(), 0});
  if (count == 4) {
    all.spawn(print(words[1], words[2], words[3]));
  } else {
    all.spawn(serve(door));
    all.spawn(demonstrate(std::to_string(door.local_endpoint().port()), all));
  }
  all.run();
  say("all have ended");
  baton::board::finish(0);
}
