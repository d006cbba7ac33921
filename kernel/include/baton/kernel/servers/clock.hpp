// SPDX-License-Identifier: MIT
#pragma once

#include <baton/kernel/servers/clients.hpp>

/// The protocol of the clock server and its clients.
namespace baton {
namespace kernel {

enum class clock_call : uint8_t {
  read,         ///< answered at once
  delay,        ///< answered `ticks` from now
  delay_until,  ///< answered at `ticks`
};

struct clock_request {
  clock_call what;
  uint64_t ticks;
};

/// The reading of a clock: how long it has run, and how much of that no task was ready, in ticks
/// that do not wrap.
struct clock_reading {
  uint64_t time = 0;
  uint64_t idle = 0;
};

struct clock_reply {
  error why;
  clock_reading shown;
};

using clock_protocol = protocol<clock_request, clock_reply>;

/// The share of the time between two readings in which no task was ready, in thousandths.
///
/// Context  there is no idle task that would count as work: the kernel adds up how long it slept.
/// Errors   0 if no time has passed.
constexpr uint16_t idle_permille(const clock_reading& from, const clock_reading& to) {
  return to.time == from.time ? uint16_t{0}
                              : static_cast<uint16_t>((to.idle - from.idle) * 1000 / (to.time - from.time));
}

/// A client's access to a clock server.
///
/// Units    a time of this clock is a number of ticks, `port::ticks_per_second`, in 64 bits.
/// Errors   of all calls: bad_task, peer_gone: there is no clock server.
class clock {
 public:
  constexpr explicit clock(tid server) : server_(server) {}

  ipc_result read(clock_reading& shown) const { return ask(clock_call::read, 0, forever, shown); }

  /// The clock's time in ticks: the value of the program's clock at the clock server's start,
  /// counted on in 64 bits.
  ipc_result time(uint64_t& ticks) const {
    clock_reading shown;
    const ipc_result o = read(shown);
    if (o) ticks = shown.time;
    return o;
  }

  /// Waits for a time.
  /// Errors   table_full: too many clients wait already. timed_out: `timeout` came first.
  ipc_result delay(duration length, time_limit timeout = forever) const { return delay_ticks(length.ticks(), timeout); }

  /// Waits for any number of ticks, beyond the range of a duration, too.
  /// Errors   as `delay`.
  ipc_result delay_ticks(uint64_t ticks, time_limit timeout = forever) const {
    clock_reading shown;
    return ask(clock_call::delay, ticks, timeout, shown);
  }

  /// Waits until the clock shows `ticks`; does not wait if it has shown them.
  /// Errors   as `delay`.
  ipc_result delay_until(uint64_t ticks, time_limit timeout = forever) const {
    clock_reading shown;
    return ask(clock_call::delay_until, ticks, timeout, shown);
  }

 private:
  ipc_result ask(clock_call what, uint64_t ticks, time_limit timeout, clock_reading& shown) const {
    clock_reply answer = {error::bad_call, {0, 0}};
    const ipc_result o = detail::ask(server_, clock_request{what, ticks}, answer, timeout);
    shown = answer.shown;
    return o;
  }

  tid server_;
};

}  // namespace kernel
}  // namespace baton
