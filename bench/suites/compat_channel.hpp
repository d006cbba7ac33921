// SPDX-License-Identifier: MIT
#pragma once

#include <AceRoutine.h>

#include "channel.hpp"

// The suite channel's messages between coroutines of compat/aceroutine, through its channel and its
// scheduler.

namespace suite_channel {

/// The clock of list `Which`, which gives each case a list of its own.
template <char Which>
struct compat_clock : ace_routine::ClockInterface {};

/// The state that a writer and a reader share; the reader stops after `share` messages.
template <char Which>
struct compat_pipe {
  using mine = counts<Which>;
  using list = ace_routine::CoroutineTemplate<compat_clock<Which>, uint16_t>;
  using scheduler = ace_routine::CoroutineSchedulerTemplate<list>;

  static ace_routine::Channel<uint32_t> channel;
  static uint32_t share;
  static uint8_t is_read;

  /// Restarts both, on an empty channel.
  static void prepare(list& writer, list& reader, uint32_t messages) {
    uint32_t nothing = 0;
    while (!channel.write(nothing)) channel.read(nothing);
    mine::clear();
    share = messages;
    is_read = 0;
    writer.reset();
    reader.reset();
    scheduler::setup();
  }
};
template <char Which>
ace_routine::Channel<uint32_t> compat_pipe<Which>::channel;
template <char Which>
uint32_t compat_pipe<Which>::share;
template <char Which>
uint8_t compat_pipe<Which>::is_read;

// Defines the list `List` of the pipe `Pipe`, and its writer and its reader.
#define COMPAT_WRITER_AND_READER(Pipe, List, writer, reader) \
  using List = Pipe::list;                                   \
  COROUTINE(List, writer) {                                  \
    static uint32_t value;                                   \
    COROUTINE_LOOP() {                                       \
      value = count_write<Pipe::mine>();                     \
      COROUTINE_CHANNEL_WRITE(Pipe::channel, value);         \
    }                                                        \
  }                                                          \
  COROUTINE(List, reader) {                                  \
    static uint32_t value;                                   \
    COROUTINE_BEGIN();                                       \
    do {                                                     \
      count_read<Pipe::mine>();                              \
      COROUTINE_CHANNEL_READ(Pipe::channel, value);          \
      check_read<Pipe::mine>(value);                         \
    } while (Pipe::mine::read < Pipe::share);                \
    Pipe::is_read = 1;                                       \
    COROUTINE_END();                                         \
  }

// Counts its visits, which are the rounds of its list.
#define COMPAT_COUNTING(list, counting)  \
  COROUTINE(list, counting) {            \
    COROUTINE_LOOP() {                   \
      compat_visits = compat_visits + 1; \
      COROUTINE_YIELD();                 \
    }                                    \
  }

static volatile uint32_t compat_visits;

using compat_pipe_m = compat_pipe<'m'>;
using compat_pipe_i = compat_pipe<'i'>;
using compat_pipe_a = compat_pipe<'a'>;
// NOLINTBEGIN(cppcoreguidelines-virtual-class-destructor): a coroutine is never destroyed
COMPAT_WRITER_AND_READER(compat_pipe_m, compat_list_m, compat_writer_m, compat_reader_m)
COMPAT_WRITER_AND_READER(compat_pipe_i, compat_list_i, compat_writer_i, compat_reader_i)
COMPAT_COUNTING(compat_list_i, compat_counting_i)
COMPAT_WRITER_AND_READER(compat_pipe_a, compat_list_a, compat_writer_a, compat_reader_a)
COMPAT_COUNTING(compat_list_a, compat_counting_a)
// NOLINTEND(cppcoreguidelines-virtual-class-destructor)

/// One message after another, each with all visits of both coroutines that it takes.
struct compat_message : workload {
  using pipe = compat_pipe_m;

  static void prepare() { pipe::prepare(compat_writer_m, compat_reader_m, messages::count()); }
  static BATON_INLINE void run() {
    while (!pipe::is_read) pipe::scheduler::loop();
  }
  static bool finish() { return pipe::mine::read == messages::count() && !pipe::mine::bad; }
};

/// AceRoutine's ChannelBenchmark: a coroutine counts rounds, a writer and a reader are suspended.
struct compat_baseline : workload {
  using pipe = compat_pipe_i;

  static void prepare() {
    compat_visits = 0;
    pipe::prepare(compat_writer_i, compat_reader_i, UINT32_MAX);
    compat_writer_i.suspend();
    compat_reader_i.suspend();
  }
  static BATON_INLINE void run() {
    while (compat_visits < messages::count()) pipe::scheduler::loop();
  }
  static bool finish() { return !pipe::mine::bad && pipe::mine::payload == 0; }
};

/// As `compat_baseline`, while the writer and the reader are active: two rounds per message.
struct compat_channels : workload {
  using pipe = compat_pipe_a;

  static void prepare() {
    compat_visits = 0;
    pipe::prepare(compat_writer_a, compat_reader_a, UINT32_MAX);
  }
  static BATON_INLINE void run() {
    while (compat_visits < messages::count()) pipe::scheduler::loop();
  }
  /// The run may begin and end within a message, so the counts may differ by one.
  static bool finish() {
    uint32_t expected = messages::count() / 2;
    return !pipe::mine::bad && pipe::mine::payload <= expected + 1 && pipe::mine::payload + 1 >= expected;
  }
};

}  // namespace suite_channel
