// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/kernel/servers/clock.hpp>
#include <baton/kernel/system.hpp>
#include <stdint.h>

namespace baton {
namespace kernel {

/// Extends a count that wraps to one that does not.
///
/// Units    the narrow count's.
/// Context  `at` must be called at least once in the time that the narrow count takes to wrap.
template <typename Narrow>
class wrap_extender {
 public:
  constexpr explicit wrap_extender(Narrow now = 0) : value_(now), last_(now) {}

  /// The wide count when the narrow one is `now`.
  uint64_t at(Narrow now) {
    value_ += static_cast<Narrow>(now - last_);
    last_ = now;
    return value_;
  }

 private:
  uint64_t value_;
  Narrow last_;
};

/// The source of a clock server's time: the kernel.
struct kernel_time {
  using count = tick;
  static count now() { return kernel::now(); }

  /// The longest wait that the count can tell from one that is past.
  static constexpr count longest = longest_timeout;
};

/// A task that knows the time in 64 bits, and lets other tasks wait for it. Its clients use
/// `clock`.
///
///     baton::kernel::clock_server<8> clock{system};
///     system.create(clock.describe(7, stack));
///
/// Shape    `Sleepers` clients that wait, inline. No heap.
/// Context  privileged: it reads how long the kernel has slept. Tickless: it sleeps until its next
///          client is due, or for half the range of the program's clock if that is less; there is
///          no periodic interrupt. Clients that are due at the same tick are answered in the order
///          of asking. A client that has ended or whose timeout has come is dropped, at the latest
///          when its slot is needed or its time comes.
/// Cost     O(Sleepers) per request.
template <uint8_t Sleepers, typename Time = kernel_time>
class clock_server {
  static_assert(Sleepers != 0, "Sleepers must be at least 1; to read the time alone, call kernel::now()");
  using count = typename Time::count;

 public:
  explicit clock_server(const kernel_state& m) : kernel_(m) {}

  /// Describes its task for `create`. It should be more urgent than its clients.
  template <word Bytes>
  task_description describe(priority level, stack<Bytes>& s, const char* name = "clock") {
    return describe_privileged(level, &begin, s, name, this);
  }

 private:
  struct sleeper {
    uint64_t due;
    reply_token client;
  };

  static void begin(void* self) { static_cast<clock_server*>(self)->serve(); }

  void serve() {
    time_ = wrap_extender<count>{Time::now()};
    idle_ = wrap_extender<tick>{kernel_.idle_ticks};
    for (;;) {
      const uint64_t now = look();
      if (sleeping_ && first_[0].due <= now) {
        wake_first(now);
        continue;
      }
      clock_request question;
      const received m = clock_protocol::receive(question, until_next(now));
      if (m) take(m, question);
    }
  }

  uint64_t look() {
    shown_.time = time_.at(Time::now());
    shown_.idle = idle_.at(kernel_.idle_ticks);
    return shown_.time;
  }

  /// The timeout of the next receive: longer than 0, and so short that no wrap of the narrow count
  /// is missed.
  time_limit until_next(uint64_t now) const {
    if (sizeof(count) == sizeof(uint64_t) && !sleeping_) return forever;  // the count wraps after centuries
    const uint64_t left = sleeping_ ? first_[0].due - now : Time::longest;
    return baton::spi::limit_of_ticks(static_cast<tick>(left < Time::longest ? left : Time::longest));
  }

  void take(const received& m, const clock_request& q) {
    const uint64_t now = look();
    drop(m.client);
    error why = error::bad_call;
    if (clock_protocol::is_whole(m)) {
      switch (q.what) {
        case clock_call::read:
          why = error::none;
          break;
        case clock_call::delay:
          why = sleep_until(m.client, now + q.ticks < now ? UINT64_MAX : now + q.ticks, now);
          break;
        case clock_call::delay_until:
          why = sleep_until(m.client, q.ticks, now);
          break;
        default:
          break;
      }
      if (why == error::would_wait) return;
    }
    clock_protocol::reply(m.client, clock_reply{why, shown_});
  }

  /// Adds a client to the list. would_wait: it is in the list; none: it is due already.
  error sleep_until(reply_token client, uint64_t due, uint64_t now) {
    if (due <= now) return error::none;
    if (sleeping_ == Sleepers) drop_those_that_left();
    if (sleeping_ == Sleepers) return error::table_full;
    uint8_t slot = sleeping_++;
    for (; slot && first_[slot - 1].due > due; --slot) first_[slot] = first_[slot - 1];
    first_[slot] = sleeper{due, client};
    return error::would_wait;
  }

  /// Answers the first client. The reply is refused if the client has given up meanwhile.
  void wake_first(uint64_t now) {
    const reply_token client = first_[0].client;
    remove(0);
    shown_.time = now;
    clock_protocol::reply(client, clock_reply{error::none, shown_});
  }

  /// Drops the former wait of a client. A client that asks anew does not sleep any more.
  void drop(reply_token client) {
    for (uint8_t i = 0; i < sleeping_; ++i) {
      if (same_slot(first_[i].client, client)) return remove(i);
    }
  }

  void drop_those_that_left() {
    for (uint8_t i = sleeping_; i-- > 0;) {
      if (!still_waits(first_[i].client)) remove(i);
    }
  }

  void remove(uint8_t slot) {
    --sleeping_;
    for (uint8_t i = slot; i < sleeping_; ++i) first_[i] = first_[i + 1];
  }

  const kernel_state& kernel_;
  wrap_extender<count> time_;
  wrap_extender<tick> idle_;
  clock_reading shown_ = {0, 0};
  sleeper first_[Sleepers];  // by due time
  uint8_t sleeping_ = 0;
};

}  // namespace kernel
}  // namespace baton
