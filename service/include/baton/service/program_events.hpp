// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>

/// Events that a program pushes by itself, in each worker that has a handler for them.
namespace baton::BATON_VARIANT::service {

/// All services of all workers that can start have started. Pushed once.
struct program_started {};

/// The program ends by `quit` or a signal. Pushed once, ahead of the stops of services, which come
/// behind the events that wait. A mistake stops the services at once, without this event. A handler
/// that is a coroutine may take until its service stops.
struct program_ending {};

}  // namespace baton::BATON_VARIANT::service
