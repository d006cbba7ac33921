// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/snapshot.hpp>
#include <string>

namespace baton::BATON_VARIANT::service {

/// The event of a change in a service's life: it starts, stops, fails, starts again.
///
/// Shape    plain data, which outlives the service.
/// Context  pushed into the queue of the service's worker, with the service as its origin, if a
///          handler or an interceptor hears it; it costs nothing else.
struct service_changed {
  service_id who;
  std::string name;
  phase from;
  phase to;
  std::string why;  ///< the failure, the restart, the stop by hand, ...; empty if there is no more to say
};

}  // namespace baton::BATON_VARIANT::service
