// SPDX-License-Identifier: MIT
//
// The cost of a message through a channel and of a call through an endpoint, with the work of both
// sides. bench/suites/README.md describes each case.
#include "channel_floors.hpp"
#include "compat_channel.hpp"

namespace suite_channel {
namespace {

using baton::bench::measure;
using baton::bench::none;

// ---- published: a coroutine counts rounds; a writer and a reader are suspended or active

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

/// A pipe whose reader never ends.
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
  /// One message per round. The run may begin and end within a message, so the counts may differ by
  /// one.
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

// ---- message_buffered: a channel with slots, which a writer fills and a reader empties

struct buffered_pipe {
  using mine = counts<'f'>;

  static baton::channel<uint32_t, slots> channel;
  static writer<buffered_pipe> writes;
  static reader<buffered_pipe> reads;

  static BATON_INLINE uint32_t share() { return messages::count(); }

  static void prepare() {
    mine::clear();
    begin(writes);
    begin(reads);
  }
  /// The writer is ahead by the values that the reader leaves in the slots.
  static bool finish() {
    writes.suspend();
    for (uint32_t value; channel.try_receive(value) == baton::status::ok;) mine::bad |= value <= mine::read;
    return mine::read == share() && !mine::bad;
  }
};
baton::channel<uint32_t, slots> buffered_pipe::channel;
writer<buffered_pipe> buffered_pipe::writes;
reader<buffered_pipe> buffered_pipe::reads;

// ---- The list

#define ROW(name, params) \
  baton::bench::row(BATON_TEXT("channel"), BATON_TEXT(name), BATON_TEXT(params), messages::count())

void message_cases() {
  using one = one_pipe<pipe<'1', 1, writer, reader>>;
  using two = two_pipes<pipe<'2', 2, writer, reader>, pipe<'3', 2, writer, reader>>;
  using in_time = one_pipe<pipe<'t', 1, writer_in_time, reader_in_time>>;
  measure<one, message_base, minimal_message>(ROW("message", "channels=1"));
  measure<two, message_base, minimal_message>(ROW("message", "channels=2"));
  measure<in_time, message_base, minimal_message>(ROW("message_deadline", "channels=1"));
  measure<one_pipe<buffered_pipe>, message_base, minimal_buffered>(ROW("message_buffered", "slots=4"));
}

void call_cases() {
  measure<call<uint32_t>, call_base, minimal_call<uint32_t>>(ROW("call", "bytes=4"));
  measure<call<block64>, call_base, minimal_call<block64>>(ROW("call", "bytes=64"));
}

/// The shape of AceRoutine's ChannelBenchmark, whose `diff` is the time that two active coroutines
/// add to a round.
void published_cases() {
  measure<published<false>, published<false>, none>(ROW("published_baseline", ""));
  measure<published<true>, published<false>, none>(ROW("published_channels", ""));
}

/// AceRoutine programs on compat/aceroutine, compiled with the board's flags: a message, and the
/// shape of ChannelBenchmark.
void compat_cases() {
  measure<compat_message, message_base, minimal_message>(ROW("compat_message", "flags=board"));
  measure<compat_baseline, compat_baseline, none>(ROW("compat_baseline", "flags=board"));
  measure<compat_channels, compat_baseline, none>(ROW("compat_channels", "flags=board"));
}

}  // namespace
}  // namespace suite_channel

int main() {
  baton::board::start();
  suite_channel::message_cases();
  suite_channel::call_cases();
  suite_channel::published_cases();
  suite_channel::compat_cases();
  baton::bench::finish();
}
