// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/begin.hpp>
#include <baton/bench/measure.hpp>
#include <baton/core.hpp>

// Messages through channels and calls through endpoints, with the work of both sides, for the
// suites channel and select.

namespace suite_channel {

using baton::point;
using baton::scheduler;
using baton::bench::begin;
using baton::bench::workload;

using messages = baton::bench::operations<1000>;

// ---- message: the counters of a writer and a reader, and the received value

template <char Which>
struct counts {
  static volatile uint32_t written, read, payload;
  static volatile uint8_t bad;

  static void clear() {
    written = read = payload = 0;
    bad = 0;
  }
};
template <char Which>
volatile uint32_t counts<Which>::written;
template <char Which>
volatile uint32_t counts<Which>::read;
template <char Which>
volatile uint32_t counts<Which>::payload;
template <char Which>
volatile uint8_t counts<Which>::bad;

/// The writer's work before a message.
template <typename Counts>
BATON_INLINE uint32_t count_write() {
  Counts::written = Counts::written + 1;
  return Counts::written;
}

/// The reader's work before a message, and after it.
template <typename Counts>
BATON_INLINE void count_read() {
  Counts::read = Counts::read + 1;
}
template <typename Counts>
BATON_INLINE void check_read(uint32_t value) {
  Counts::payload = value;
  if (value != Counts::read) Counts::bad = 1;
}

/// The work of both sides for each message, without a channel between: the writer stores the value,
/// the reader loads it.
struct message_base : workload {
  using mine = counts<'0'>;

  static volatile uint32_t value;

  static void prepare() { mine::clear(); }
  static BATON_INLINE void run() {
    do {
      value = count_write<mine>();
      count_read<mine>();
      check_read<mine>(value);
    } while (mine::read < messages::count());
  }
  static bool finish() { return mine::read == messages::count() && !mine::bad; }
};
volatile uint32_t message_base::value;

// ---- call: the counter of a client, and the answer of a server

/// A request or a reply of 64 bytes.
struct block64 {
  uint32_t word;
  uint32_t rest[15];
};

BATON_INLINE uint32_t& word_of(uint32_t& value) {
  return value;
}
BATON_INLINE uint32_t& word_of(block64& value) {
  return value.word;
}

/// The server's answer: the request plus one. A large answer is ready in the server, so only its
/// word is work.
BATON_INLINE uint32_t answer_to(const uint32_t& request) {
  return request + 1;
}
BATON_INLINE const block64& answer_to(const block64& request) {
  static block64 answer;
  answer.word = request.word + 1;
  return answer;
}

static volatile uint8_t bad_answer;

/// The client's work for each call, without a server.
struct call_base : workload {
  static volatile uint32_t request, reply;

  static void prepare() { reply = 1; }
  static BATON_INLINE void run() {
    uint_fast16_t n = 0;
    do {
      request = n;
      if (reply != request + 1) bad_answer = 1;
    } while (++n != messages::count());
  }
};
volatile uint32_t call_base::request;
volatile uint32_t call_base::reply;

// ---- message: a writer and a reader per channel; the last reader to get its share ends the run

/// The number of readers that still read.
static uint8_t reading;

#define SEND(value) BATON_WAIT(Pipe::channel.send(value))
#define RECEIVE(value) BATON_WAIT(Pipe::channel.receive(value))
// Longer than a suite takes, even in an emulator: an alarm of Linux that comes late would be
// counted in a later case.
#define SEND_IN_TIME(value) BATON_WAIT_FOR(baton::seconds(20), Pipe::channel.send(value))
#define RECEIVE_IN_TIME(value) BATON_WAIT_FOR(baton::seconds(20), Pipe::channel.receive(value))

// Defines a writer and a reader on the base `base`, which send and receive by the two macros `send`
// and `receive`.
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

}  // namespace suite_channel
