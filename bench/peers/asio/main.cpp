// SPDX-License-Identifier: MIT
#include <chrono>
#include <deque>
#include <peer.hpp>
#include <producers.hpp>

#include "loop.hpp"
#include "service.hpp"

namespace {

using steady_timer =
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, executor>;

awaitable<void> switcher(uint64_t& switches, uint64_t count) {
  while (++switches < count) co_await asio::defer(use_awaitable);
}

uint64_t switching(uint64_t count, peer::stopwatch& watch) {
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  uint64_t switches = 0;
  asio::co_spawn(context, switcher(switches, count), asio::detached);
  asio::co_spawn(context, switcher(switches, count), asio::detached);
  watch.start();
  context.run();
  watch.stop();
  return switches - 1;  // the second task raises the counter once more, to see that it is full
}

awaitable<void> writer(channel<uint64_t>& to, uint64_t count) {
  for (uint64_t number = 0; number != count; ++number) co_await to.async_send({}, number, use_awaitable);
}

awaitable<void> reader(channel<uint64_t>& from, uint64_t count, uint64_t& received) {
  while (received != count) {
    const uint64_t number = co_await from.async_receive(use_awaitable);
    if (number == received) ++received;
  }
}

uint64_t rendezvous(uint64_t count, peer::stopwatch& watch) {
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  channel<uint64_t> between{context};
  uint64_t received = 0;
  asio::co_spawn(context, reader(between, count, received), asio::detached);
  asio::co_spawn(context, writer(between, count), asio::detached);
  watch.start();
  context.run();
  watch.stop();
  return received;
}

template <typename Block>
awaitable<void> client(channel<Block>& requests, channel<Block>& replies, uint64_t count, uint64_t& handled) {
  Block request;
  for (uint64_t number = 0; number != count; ++number) {
    request.word = static_cast<uint32_t>(number);
    co_await requests.async_send({}, request, use_awaitable);
    const Block reply = co_await replies.async_receive(use_awaitable);
    if (reply.word == request.word + 1) ++handled;
  }
}

template <typename Block>
awaitable<void> server(channel<Block>& requests, channel<Block>& replies, uint64_t count) {
  for (uint64_t number = 0; number != count; ++number) {
    Block message = co_await requests.async_receive(use_awaitable);
    ++message.word;
    co_await replies.async_send({}, message, use_awaitable);
  }
}

template <size_t Bytes>
uint64_t calling(uint64_t count, peer::stopwatch& watch) {
  using block = peer::block<Bytes>;
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  channel<block> requests{context};
  channel<block> replies{context};
  uint64_t handled = 0;
  asio::co_spawn(context, server<block>(requests, replies, count), asio::detached);
  asio::co_spawn(context, client<block>(requests, replies, count, handled), asio::detached);
  watch.start();
  context.run();
  watch.stop();
  return handled;
}

uint64_t event(uint64_t count, bool random, peer::stopwatch& watch) {
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  peer::handlers handlers;
  peer::events events{random};
  watch.start();
  for (uint64_t done = 0; done < count; done += peer::events::batch) {
    const uint64_t size = std::min<uint64_t>(count - done, peer::events::batch);
    for (uint64_t number = 0; number != size; ++number) {
      asio::post(context, [&handlers, happened = events.next()] { handlers.dispatch(happened); });
    }
    context.poll();
    context.restart();
    peer::escape();
  }
  watch.stop();
  return handlers.handled();
}

uint64_t cross_thread(uint64_t count, unsigned producers, peer::stopwatch& watch) {
  asio::io_context context{1};
  peer::handlers handlers;
  peer::producers threads{producers, count, [&](uint64_t share) {
                            peer::events events{false};
                            for (uint64_t number = 0; number != share; ++number) {
                              asio::post(context, [&handlers, &context, count, happened = events.next()] {
                                handlers.dispatch(happened);
                                if (handlers.handled() == count) context.stop();
                              });
                            }
                          }};
  auto work = asio::make_work_guard(context);
  watch.start();
  threads.go();
  context.run();
  watch.stop();
  threads.join();
  return handlers.handled();
}

awaitable<void> nothing() {
  co_return;
}

uint64_t spawn(uint64_t count, peer::stopwatch& watch) {
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  uint64_t ended = 0;
  watch.start();
  for (uint64_t done = 0; done < count; done += 1000) {
    for (int number = 0; number != 1000; ++number) {
      asio::co_spawn(context, nothing(), [&ended](const std::exception_ptr&) { ++ended; });
    }
    context.run();
    context.restart();
  }
  watch.stop();
  return ended;
}

using std::chrono::milliseconds;
using std::chrono::steady_clock;

uint64_t timer(uint64_t count, peer::stopwatch& watch) {
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  std::deque<steady_timer> timers;
  for (uint64_t number = 0; number != count; ++number) timers.emplace_back(context);
  peer::random_numbers numbers;
  uint64_t fired = 0;
  watch.start();
  const auto from = steady_clock::now();
  for (steady_timer& each : timers) {
    each.expires_at(from + std::chrono::microseconds{numbers.next() % (peer::timers_due_ms * 1000)});
    each.async_wait([&fired](error_code error) { fired += error ? 0 : 1; });
  }
  watch.stop();
  std::this_thread::sleep_until(from + milliseconds{peer::timers_due_ms});
  watch.start();
  context.run();
  watch.stop();
  return fired;
}

uint64_t timer_cancel(uint64_t count, peer::stopwatch& watch) {
  constexpr int pending = 1'000'000;
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  std::deque<steady_timer> others;
  peer::random_numbers numbers;
  const auto from = steady_clock::now() + std::chrono::hours{1};
  for (int number = 0; number != pending; ++number) {
    others.emplace_back(context, from + milliseconds{numbers.next() % 1'000'000}).async_wait([](error_code) {});
  }
  steady_timer own{context};
  uint64_t cancelled = 0;
  watch.start();
  for (uint64_t done = 0; done != count; ++done) {
    own.expires_at(from + milliseconds{numbers.next() % 1'000'000});
    own.async_wait([&cancelled](error_code error) { cancelled += error == asio::error::operation_aborted ? 1 : 0; });
    own.cancel();
    if (done % 1000 == 999) context.poll();
  }
  context.poll();
  watch.stop();
  return cancelled;
}

awaitable<void> idler(channel<uint64_t>& from, uint64_t& ended) {
  co_await from.async_receive(use_awaitable);
  ++ended;
}

void idle_task(peer::session& session) {
  constexpr uint64_t count = 100'000;
  asio::io_context context{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE};
  channel<uint64_t> between{context};
  uint64_t ended = 0;
  const uint64_t before = peer::allocated_bytes();
  for (uint64_t number = 0; number != count; ++number) {
    asio::co_spawn(context, idler(between, ended), asio::detached);
  }
  context.poll();
  session.bytes("idle_task", count, peer::allocated_bytes() - before, "mallinfo2");
  for (uint64_t number = 0; number != count; ++number) between.try_send(error_code{}, number);
  context.restart();
  context.run();
  session.expect("idle_task", count, ended);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string version =
      std::to_string(BOOST_VERSION / 100000) + "." + std::to_string(BOOST_VERSION / 100 % 1000) + ".0";
  peer::session session{argc, argv, "asio", version.c_str()};
  if (session.alone("async")) {
    session.time("switch", 100'000, switching);
    session.time("rendezvous", 20'000, rendezvous);
    session.time("call bytes=4", 10'000, calling<4>);
    session.time("call bytes=64", 10'000, calling<64>);
    session.time("call bytes=256", 10'000, calling<256>);
    session.time("event types=predictable", 50 * peer::events::batch,
                 [](auto n, auto& watch) { return event(n, false, watch); });
    session.time("event types=random", 50 * peer::events::batch,
                 [](auto n, auto& watch) { return event(n, true, watch); });
    session.time("spawn", 10'000, spawn);
    session.time("timer", 1'000'000, timer, 1);
    session.time("timer_cancel", 1'000'000, timer_cancel, 1);
    idle_task(session);
  }
  if (session.threads("async")) {
    for (const unsigned producers : peer::producer_counts) {
      session.time(peer::cross_thread(producers), 100'000,
                   [=](auto n, auto& watch) { return cross_thread(n, producers, watch); });
    }
  }
  run_service(session);
  return session.code();
}
