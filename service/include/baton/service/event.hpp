// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/status.hpp>
#include <baton/core/variant.hpp>
#include <baton/service/type_ids.hpp>
#include <compare>
#include <exception>

namespace baton::BATON_VARIANT::service {

/// Which events go first; first in, first out inside each.
enum class priority : uint8_t { highest, higher, high, raised, normal, low, lower, lowest };

/// A service in its worker. It is never another's: a number is not used again before four billion others were.
struct service_id {
  uint32_t number = 0;  ///< 0: nobody, as what pushes an event from outside of services
  uint32_t generation = 0;

  explicit operator bool() const noexcept { return number != 0; }
  friend bool operator==(const service_id&, const service_id&) = default;
};

/// What interceptors are told of an event beside the event itself.
struct event_info {
  std::string_view type;  ///< as the source has it
  uint32_t origin;        ///< number of the service that pushed it; 0: none
  uint64_t number;        ///< of the push, from 1, in its worker
};

/// How an event that was sent has ended.
struct delivery {
  baton::status status =
      baton::status::ok;       ///< `full`, `closed`: it was not queued. `cancelled`: nobody waits any more
  uint32_t handlers = 0;       ///< how many heard it
  bool was_stopped = false;    ///< an interceptor stopped it
  bool was_dropped = false;    ///< the queue dropped it: an older one than there was room for, or at the end
  std::exception_ptr failure;  ///< what the first handler that failed has thrown

  /// It was handled, by nobody perhaps, and nobody failed.
  explicit operator bool() const noexcept {
    return status == baton::status::ok && !failure && !was_stopped && !was_dropped;
  }
};

/// What a queue does with an event when it is full.
enum class overflow : uint8_t {
  reject,       ///< `push` says `full`
  drop_oldest,  ///< the oldest of the lowest priority that waits goes, and is counted
};

/// How many events may wait in a worker, and what becomes of more.
struct queue_limit {
  uint64_t events = uint64_t{1} << 24;
  service::overflow overflow = service::overflow::reject;
};

}  // namespace baton::BATON_VARIANT::service
