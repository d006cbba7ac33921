// SPDX-License-Identifier: MIT
#pragma once

#include <baton/bench/minimal.hpp>

#include "channel.hpp"

// The minimal prototypes of a message and of a call: the floors of the suites channel and select.

namespace suite_channel {

namespace minimal = baton::bench::minimal;

// ---- message, minimal: one place for a writer or a reader that waits, and a ready queue

struct minimal_message : workload {
  using mine = counts<'b'>;

  struct end : minimal::job {
    using minimal::job::job;
    uint32_t value = 0;
  };

  static minimal::queue ready;
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

  static uint8_t write(minimal::job*, uint8_t at) {
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

  static uint8_t receive(minimal::job*, uint8_t at) {
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
minimal::queue minimal_message::ready;
minimal_message::end* minimal_message::waiting;
minimal_message::end minimal_message::writer(&minimal_message::write);
minimal_message::end minimal_message::reader(&minimal_message::receive);

// ---- message_buffered, minimal: as above, with slots for the values that nobody has received

constexpr uint8_t slots = 4;

struct minimal_buffered : workload {
  using mine = counts<'g'>;
  using end = minimal_message::end;

  static minimal::queue ready;
  static end* waiting;
  static end writer, reader;
  static uint32_t slot[slots];
  static uint8_t head, tail;

  static BATON_INLINE void wake() {
    if (!waiting) return;
    ready.push(waiting);
    waiting = nullptr;
  }

  static uint8_t write(minimal::job*, uint8_t at) {
    switch (at) {
      case 0:
        for (;;) {
          writer.value = count_write<mine>();
          if (static_cast<uint8_t>(tail - head) == slots) {
            waiting = &writer;
            return 1;
            case 1:;
          }
          slot[tail++ % slots] = writer.value;
          wake();
        }
      default:
        __builtin_unreachable();
    }
  }

  static uint8_t receive(minimal::job*, uint8_t at) {
    switch (at) {
      case 0:
        do {
          count_read<mine>();
          if (head == tail) {
            waiting = &reader;
            return 1;
            case 1:;
          }
          reader.value = slot[head++ % slots];
          wake();
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
    head = tail = 0;
    ready.first = nullptr;
    writer.at = reader.at = 0;
    ready.push(&writer);
    ready.push(&reader);
  }
  static BATON_INLINE void run() { ready.run(); }
  static bool finish() { return mine::read == messages::count() && !mine::bad; }
};
minimal::queue minimal_buffered::ready;
minimal_message::end* minimal_buffered::waiting;
minimal_message::end minimal_buffered::writer(&minimal_buffered::write);
minimal_message::end minimal_buffered::reader(&minimal_buffered::receive);
uint32_t minimal_buffered::slot[slots];
uint8_t minimal_buffered::head, minimal_buffered::tail;

// ---- call, minimal: the client copies a request to the waiting server, which copies a reply back

template <typename Value>
struct minimal_call : workload {
  struct end : minimal::job {
    using minimal::job::job;
    Value request{}, reply{};
    uint_fast16_t n = 0;
  };

  static minimal::queue ready;
  static end* waiting;
  static end client, server;

  static uint8_t call(minimal::job*, uint8_t at) {
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

  static uint8_t serve(minimal::job*, uint8_t at) {
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
minimal::queue minimal_call<Value>::ready;
template <typename Value>
typename minimal_call<Value>::end* minimal_call<Value>::waiting;
template <typename Value>
typename minimal_call<Value>::end minimal_call<Value>::client(&minimal_call<Value>::call);
template <typename Value>
typename minimal_call<Value>::end minimal_call<Value>::server(&minimal_call<Value>::serve);

}  // namespace suite_channel
