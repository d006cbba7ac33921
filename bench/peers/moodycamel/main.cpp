// SPDX-License-Identifier: MIT
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/concurrentqueue.h>

#include <array>
#include <peer.hpp>
#include <producers.hpp>

namespace {

/// The number of values that the queue takes and gives at once.
constexpr size_t bulk = 64;

uint64_t event(uint64_t count, bool random, peer::stopwatch& watch) {
  moodycamel::ConcurrentQueue<peer::event> queue{peer::events::batch};
  const moodycamel::ProducerToken producer{queue};
  moodycamel::ConsumerToken consumer{queue};
  peer::handlers handlers;
  peer::events events{random};
  std::array<peer::event, bulk> taken;
  watch.start();
  for (uint64_t done = 0; done < count; done += peer::events::batch) {
    const uint64_t size = std::min<uint64_t>(count - done, peer::events::batch);
    for (uint64_t number = 0; number != size; ++number) queue.enqueue(producer, events.next());
    while (const size_t got = queue.try_dequeue_bulk(consumer, taken.begin(), bulk)) {
      for (size_t index = 0; index != got; ++index) handlers.dispatch(taken[index]);
    }
    peer::escape();
  }
  watch.stop();
  return handlers.handled();
}

uint64_t cross_thread(uint64_t count, unsigned producers, peer::stopwatch& watch) {
  moodycamel::BlockingConcurrentQueue<peer::event> queue;
  peer::handlers handlers;
  peer::producers threads{producers, count, [&](uint64_t share) {
                            const moodycamel::ProducerToken token{queue};
                            peer::events events{false};
                            std::array<peer::event, bulk> batch;
                            for (uint64_t done = 0; done < share; done += bulk) {
                              const size_t size = std::min<uint64_t>(share - done, bulk);
                              for (size_t index = 0; index != size; ++index) batch[index] = events.next();
                              queue.enqueue_bulk(token, batch.begin(), size);
                            }
                          }};
  moodycamel::ConsumerToken consumer{queue};
  std::array<peer::event, bulk> taken;
  watch.start();
  threads.go();
  while (handlers.handled() != count) {
    const size_t got = queue.wait_dequeue_bulk(consumer, taken.begin(), bulk);
    for (size_t index = 0; index != got; ++index) handlers.dispatch(taken[index]);
  }
  watch.stop();
  threads.join();
  return handlers.handled();
}

}  // namespace

int main(int argc, char** argv) {
  peer::session session{argc, argv, "moodycamel", "1.0.3"};
  if (session.alone("async")) {
    session.time("event types=predictable", 50 * peer::events::batch,
                 [](auto n, auto& watch) { return event(n, false, watch); });
    session.time("event types=random", 50 * peer::events::batch,
                 [](auto n, auto& watch) { return event(n, true, watch); });
  }
  if (session.threads("async")) {
    for (const unsigned producers : peer::producer_counts) {
      session.time(peer::cross_thread(producers), 400'000,
                   [=](auto n, auto& watch) { return cross_thread(n, producers, watch); });
    }
  }
  return session.code();
}
