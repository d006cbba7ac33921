// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/status.hpp>
#include <baton/core/variant.hpp>
#include <baton/service/type_ids.hpp>
#include <compare>
#include <exception>

namespace baton::BATON_VARIANT::service {

/// The order in which events are handled: higher priorities first, first in, first out inside each.
enum class priority : uint8_t { highest, higher, high, raised, normal, low, lower, lowest };

/// The id of a service, good in its worker alone: another worker refuses it. A number comes with a
/// generation, so an id is repeated only after four billion services with the same number.
struct service_id {
  uint32_t number = 0;  ///< 0: no service, as for an event that is pushed from outside of services
  uint32_t generation = 0;
  uint32_t worker = 0;  ///< the number of its worker among all workers of the process

  explicit operator bool() const noexcept { return number != 0; }
  friend bool operator==(const service_id&, const service_id&) = default;
};

/// The circumstances of an event, for handlers and interceptors.
struct event_info {
  std::string_view type;  ///< the type's name in the source
  uint32_t origin;        ///< number of the service that pushed it; 0: none
  uint64_t number;        ///< number of the push in its worker, from 1
};

/// The end of an event that was sent.
struct delivery {
  baton::status status =
      baton::status::ok;       ///< `full`, `closed`: not queued. `cancelled`: the sender's wait was cancelled
  uint32_t handlers = 0;       ///< number of handlers that were called
  bool was_stopped = false;    ///< an interceptor stopped it
  bool was_dropped = false;    ///< the queue dropped it, because it was full or was closed
  std::exception_ptr failure;  ///< the exception of the first handler that failed

  /// True if the event was handled without a failure, even by no handler.
  explicit operator bool() const noexcept {
    return status == baton::status::ok && !failure && !was_stopped && !was_dropped;
  }
};

/// The policy of a full queue.
enum class overflow : uint8_t {
  reject,       ///< `push` returns `full`
  drop_oldest,  ///< the oldest waiting event of the lowest priority is dropped and counted
};

/// The number of events that may wait in a worker, and the policy for more.
struct queue_limit {
  uint64_t events = uint64_t{1} << 24;
  service::overflow overflow = service::overflow::reject;
};

}  // namespace baton::BATON_VARIANT::service
