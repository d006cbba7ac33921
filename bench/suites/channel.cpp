// SPDX-License-Identifier: MIT
//
// What a message through a channel and a call through an endpoint cost, with the work of those who send and receive it.
// bench/README.md says how each case counts.
#include "channel.hpp"

namespace suite_channel {
namespace {

using baton::scheduler;
using baton::bench::begin;
using baton::bench::measure;
using baton::bench::none;
using baton::bench::workload;

// ---- message: a writer and a reader for each channel; the last reader to have its share ends the run

/// Readers that still read.
uint8_t reading;

#define SEND(value) BATON_WAIT(Pipe::channel.send(value))
#define RECEIVE(value) BATON_WAIT(Pipe::channel.receive(value))
#define SEND_IN_TIME(value) BATON_WAIT_FOR(baton::milliseconds(50), Pipe::channel.send(value))
#define RECEIVE_IN_TIME(value) BATON_WAIT_FOR(baton::milliseconds(50), Pipe::channel.receive(value))

// A writer and a reader on the base `base`, which send and receive as the two macros say.
#define WRITER_AND_READER(writer, reader, base, send, receive) \
  template <typename Pipe>                                     \
  struct writer : baton::coroutine<writer<Pipe>, base> {       \
    uint32_t value;                                            \
    point step(point at) {                                     \
      BATON_BEGIN();                                           \
      for (;;) {                                               \
        value = count_write<typename Pipe::mine>();            \
        send(value);                                           \
      }                                                        \
      BATON_END();                                             \
    }                                                          \
  };                                                           \
  template <typename Pipe>                                     \
  struct reader : baton::coroutine<reader<Pipe>, base> {       \
    uint32_t value;                                            \
    point step(point at) {                                     \
      BATON_BEGIN();                                           \
      do {                                                     \
        count_read<typename Pipe::mine>();                     \
        receive(value);                                        \
        check_read<typename Pipe::mine>(value);                \
      } while (Pipe::mine::read < Pipe::share());              \
      if (--reading == 0) scheduler::stop();                   \
      BATON_END();                                             \
    }                                                          \
  };
WRITER_AND_READER(writer, reader, baton::waiting, SEND, RECEIVE)
WRITER_AND_READER(writer_in_time, reader_in_time, baton::deadline, SEND_IN_TIME, RECEIVE_IN_TIME)

/// One channel of `Channels`, and its two ends.
template <char Which, uint8_t Channels, template <typename> class Writer, template <typename> class Reader>
struct pipe {
  using mine = counts<Which>;

  static baton::channel<uint32_t> channel;
  static Writer<pipe> writer;
  static Reader<pipe> reader;

  static BATON_INLINE uint32_t share() { return messages::count() / Channels; }

  static void prepare() {
    mine::clear();
    begin(writer);
    begin(reader);
  }
  static bool finish() {
    writer.suspend();
    return mine::read == share() && !mine::bad;
  }
};
template <char Which, uint8_t Channels, template <typename> class Writer, template <typename> class Reader>
baton::channel<uint32_t> pipe<Which, Channels, Writer, Reader>::channel;
template <char Which, uint8_t Channels, template <typename> class Writer, template <typename> class Reader>
Writer<pipe<Which, Channels, Writer, Reader>> pipe<Which, Channels, Writer, Reader>::writer;
template <char Which, uint8_t Channels, template <typename> class Writer, template <typename> class Reader>
Reader<pipe<Which, Channels, Writer, Reader>> pipe<Which, Channels, Writer, Reader>::reader;

template <typename Pipe>
struct one_pipe : workload {
  static void prepare() {
    reading = 1;
    Pipe::prepare();
  }
  static BATON_INLINE void run() { scheduler::run(); }
  static bool finish() { return Pipe::finish(); }
};

template <typename First, typename Second>
struct two_pipes : workload {
  static void prepare() {
    reading = 2;
    First::prepare();
    Second::prepare();
  }
  static BATON_INLINE void run() { scheduler::run(); }
  static bool finish() {
    bool first = First::finish();
    return Second::finish() && first;
  }
};

// ---- call: a client and a server

template <typename Value>
struct call : workload {
  static baton::endpoint<Value, Value> endpoint;

  struct client_type : baton::coroutine<client_type, baton::waiting> {
    baton::exchange<Value, Value> x;
    uint_fast16_t n;
    point step(point at) {
      BATON_BEGIN();
      do {
        word_of(x.request) = n;
        BATON_WAIT(endpoint.call(x));
        if (word_of(x.reply) != word_of(x.request) + 1) bad_answer = 1;
      } while (++n != messages::count());
      scheduler::stop();
      BATON_END();
    }
  };

  struct server_type : baton::coroutine<server_type, baton::waiting> {
    baton::served<Value, Value> s;
    point step(point at) {
      BATON_BEGIN();
      for (;;) {
        BATON_WAIT(endpoint.receive(s));
        endpoint.reply(s, answer_to(s.request()));
      }
      BATON_END();
    }
  };

  static client_type client;
  static server_type server;

  static void prepare() {
    bad_answer = 0;
    client.n = 0;
    begin(server);
    begin(client);
  }
  static BATON_INLINE void run() { scheduler::run(); }
  static bool finish() {
    server.suspend();
    return client.n == messages::count() && !bad_answer;
  }
};
template <typename Value>
baton::endpoint<Value, Value> call<Value>::endpoint;
template <typename Value>
typename call<Value>::client_type call<Value>::client;
template <typename Value>
typename call<Value>::server_type call<Value>::server;

// ---- published: a coroutine counts, one round after another; a writer and a reader are suspended, or send and receive

volatile uint32_t counter;

struct counting : baton::coroutine<counting> {
  point step(point at) {
    BATON_BEGIN();
    for (;;) {
      counter = counter + 1;
      BATON_YIELD();
    }
    BATON_END();
  }
};

/// A pipe whose reader never has its share.
struct endless_pipe {
  using mine = counts<'p'>;

  static baton::channel<uint32_t> channel;

  static constexpr uint32_t share() { return UINT32_MAX; }
};
baton::channel<uint32_t> endless_pipe::channel;

template <bool Active>
struct published : workload {
  static counting counts_rounds;
  static writer<endless_pipe> writes;
  static reader<endless_pipe> reads;

  static void prepare() {
    counter = 0;
    endless_pipe::mine::clear();
    begin(writes);
    begin(reads);
    begin(counts_rounds);
    if (!Active) suspend_pipe();
  }
  static BATON_INLINE void run() {
    while (counter < messages::count()) scheduler::run_one();
  }
  static bool finish() {
    counts_rounds.suspend();
    suspend_pipe();
    return !endless_pipe::mine::bad && is_near(endless_pipe::mine::payload, Active ? counter : 0);
  }

 private:
  /// A message a round; where a run begins and ends in one decides about the first and the last.
  static bool is_near(uint32_t messages, uint32_t rounds) { return messages + 1 >= rounds && messages <= rounds + 1; }

  static void suspend_pipe() {
    writes.suspend();
    reads.suspend();
  }
};
template <bool Active>
counting published<Active>::counts_rounds;
template <bool Active>
writer<endless_pipe> published<Active>::writes;
template <bool Active>
reader<endless_pipe> published<Active>::reads;

// ---- The list

#define ROW(name, params) \
  baton::bench::row(BATON_TEXT("channel"), BATON_TEXT(name), BATON_TEXT(params), messages::count())

void message_cases() {
  using one = one_pipe<pipe<'1', 1, writer, reader>>;
  using two = two_pipes<pipe<'2', 2, writer, reader>, pipe<'3', 2, writer, reader>>;
  using in_time = one_pipe<pipe<'t', 1, writer_in_time, reader_in_time>>;
  measure<one, message_base, bare_message>(ROW("message", "channels=1"));
  measure<two, message_base, bare_message>(ROW("message", "channels=2"));
  measure<in_time, message_base, bare_message>(ROW("message_deadline", "channels=1"));
}

void call_cases() {
  measure<call<uint32_t>, call_base, bare_call<uint32_t>>(ROW("call", "bytes=4"));
  measure<call<block64>, call_base, bare_call<block64>>(ROW("call", "bytes=64"));
}

/// The shape of AceRoutine's ChannelBenchmark, whose `diff` is what the two active ones add to a round.
void published_cases() {
  measure<published<false>, published<false>, none>(ROW("published_baseline", ""));
  measure<published<true>, published<false>, none>(ROW("published_channels", ""));
}

}  // namespace
}  // namespace suite_channel

int main() {
  baton::board::start();
  suite_channel::message_cases();
  suite_channel::call_cases();
  suite_channel::published_cases();
  baton::bench::finish();
}
