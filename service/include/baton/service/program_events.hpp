// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>

/// Events that a program pushes by itself, in each worker that has a handler for them.
namespace baton::BATON_VARIANT::service {

/// All services of all workers that can start have started. Pushed once.
struct program_started {};

/// The program ends by `quit` or a signal. Pushed once in each worker. The services of all workers
/// stop when the handlers of all have ended, those that are coroutines too, but after
/// `options::ending_limit` at the latest: a handler still reaches services of other workers. For a
/// worker that is stuck the others wait for `options::shutdown_limit`. A mistake stops the services
/// of its worker at once, without this event.
struct program_ending {};

}  // namespace baton::BATON_VARIANT::service
