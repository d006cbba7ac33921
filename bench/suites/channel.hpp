// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/bare.hpp>
#include <baton/bench/begin.hpp>
#include <baton/bench/measure.hpp>
#include <baton/core.hpp>

// The counting work of the suite channel, and the bare prototypes of its floors.

namespace suite_channel {

using baton::point;
namespace bare = baton::bench::bare;

using messages = baton::bench::operations<1000>;

// ---- message: what a writer and a reader count, and what arrives

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

/// All of that for each message, with nobody between: the writer stores the value, the reader loads it.
struct message_base : baton::bench::workload {
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

// ---- message, bare: one place for a writer or a reader that waits, and a ready queue

struct bare_message : baton::bench::workload {
  using mine = counts<'b'>;

  struct end : bare::job {
    using bare::job::job;
    uint32_t value = 0;
  };

  static bare::queue ready;
  static end* waiting;
  static end writer, reader;

  /// Hands a value over if the other side waits.
  static BATON_INLINE bool meets(end& from, end& to) {
    if (!waiting) return false;
    to.value = from.value;
    ready.push(waiting);
    waiting = nullptr;
    return true;
  }

  static uint8_t write(bare::job*, uint8_t at) {
    switch (at) {
      case 0:
        for (;;) {
          writer.value = count_write<mine>();
          if (!meets(writer, reader)) {
            waiting = &writer;
            return 1;
            case 1:;
          }
        }
      default:
        __builtin_unreachable();
    }
  }

  static uint8_t receive(bare::job*, uint8_t at) {
    switch (at) {
      case 0:
        do {
          count_read<mine>();
          if (!meets(writer, reader)) {
            waiting = &reader;
            return 1;
            case 1:;
          }
          check_read<mine>(reader.value);
        } while (mine::read < messages::count());
        ready.first = nullptr;
        return 0;
      default:
        __builtin_unreachable();
    }
  }

  static void prepare() {
    mine::clear();
    waiting = nullptr;
    ready.first = nullptr;
    writer.at = reader.at = 0;
    ready.push(&writer);
    ready.push(&reader);
  }
  static BATON_INLINE void run() { ready.run(); }
  static bool finish() { return mine::read == messages::count() && !mine::bad; }
};
bare::queue bare_message::ready;
bare_message::end* bare_message::waiting;
bare_message::end bare_message::writer(&bare_message::write);
bare_message::end bare_message::reader(&bare_message::receive);

// ---- call: what a client counts, and what a server answers

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

/// What the server answers: one more. A large answer stands ready in the server, so only its word is work.
BATON_INLINE uint32_t answer_to(const uint32_t& request) {
  return request + 1;
}
BATON_INLINE const block64& answer_to(const block64& request) {
  static block64 answer;
  answer.word = request.word + 1;
  return answer;
}

static volatile uint8_t bad_answer;

/// The client's work for each call, with nobody between.
struct call_base : baton::bench::workload {
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

// ---- call, bare: the client copies its request to the waiting server, the server its reply to the client

template <typename Value>
struct bare_call : baton::bench::workload {
  struct end : bare::job {
    using bare::job::job;
    Value request{}, reply{};
    uint_fast16_t n = 0;
  };

  static bare::queue ready;
  static end* waiting;
  static end client, server;

  static uint8_t call(bare::job*, uint8_t at) {
    switch (at) {
      case 0:
        do {
          word_of(client.request) = client.n;
          if (waiting) {
            waiting = nullptr;
            server.request = client.request;
            ready.push(&server);
          }
          return 1;
          case 1:
            if (word_of(client.reply) != word_of(client.request) + 1) bad_answer = 1;
        } while (++client.n != messages::count());
        ready.first = nullptr;
        return 0;
      default:
        __builtin_unreachable();
    }
  }

  static uint8_t serve(bare::job*, uint8_t at) {
    switch (at) {
      case 0:
        for (;;) {
          waiting = &server;
          return 1;
          case 1:
            client.reply = answer_to(server.request);
            ready.push(&client);
        }
      default:
        __builtin_unreachable();
    }
  }

  static void prepare() {
    bad_answer = 0;
    client.n = 0;
    client.at = server.at = 0;
    ready.first = nullptr;
    ready.push(&server);
    ready.push(&client);
  }
  static BATON_INLINE void run() { ready.run(); }
  static bool finish() { return client.n == messages::count() && !bad_answer; }
};
template <typename Value>
bare::queue bare_call<Value>::ready;
template <typename Value>
typename bare_call<Value>::end* bare_call<Value>::waiting;
template <typename Value>
typename bare_call<Value>::end bare_call<Value>::client(&bare_call<Value>::call);
template <typename Value>
typename bare_call<Value>::end bare_call<Value>::server(&bare_call<Value>::serve);

}  // namespace suite_channel
