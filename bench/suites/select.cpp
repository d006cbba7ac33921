// SPDX-License-Identifier: MIT
//
// The cost of a select, and the cases of the suite channel in a program that selects and resumes
// directly. Link-time optimization removes from the shared paths the parts that a program does not
// use; in this program it removes none.
#include "channel_floors.hpp"

namespace suite_channel {
namespace {

using baton::bench::measure;

/// A writer, and a reader that waits for a message on either of two channels; the other channel
/// stays silent.
struct selected : workload {
  using mine = counts<'s'>;

  static baton::channel<uint32_t> channel, silent;

  static BATON_INLINE uint32_t share() { return messages::count(); }

  struct reader_type : baton::coroutine<reader_type, baton::selecting<2>> {
    uint32_t value;
    point step(point at) {
      BATON_BEGIN();
      do {
        count_read<mine>();
        BATON_SELECT(channel.receive(value), silent.receive(value));
        check_read<mine>(value);
      } while (mine::read < share());
      scheduler::stop();
      BATON_END();
    }
  };

  static writer<selected> writes;
  static reader_type reads;

  /// The reader's first step is resumed directly, as a program may do.
  static void prepare() {
    mine::clear();
    begin(reads);
    reads.direct_resume();
    begin(writes);
  }
  static BATON_INLINE void run() { scheduler::run(); }
  static bool finish() {
    writes.suspend();
    return mine::read == share() && !mine::bad;
  }
};
baton::channel<uint32_t> selected::channel;
baton::channel<uint32_t> selected::silent;
writer<selected> selected::writes;
selected::reader_type selected::reads;

#define ROW(name, params) \
  baton::bench::row(BATON_TEXT("select"), BATON_TEXT(name), BATON_TEXT(params), messages::count())

void cases() {
  using one = one_pipe<pipe<'1', 1, writer, reader>>;
  measure<selected, message_base, minimal_message>(ROW("select", "cases=2"));
  measure<one, message_base, minimal_message>(ROW("message", "channels=1"));
  measure<call<uint32_t>, call_base, minimal_call<uint32_t>>(ROW("call", "bytes=4"));
}

}  // namespace
}  // namespace suite_channel

int main() {
  baton::board::start();
  suite_channel::cases();
  baton::bench::finish();
}
