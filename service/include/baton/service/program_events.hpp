// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/variant.hpp>

/// Events that a program pushes by itself, in each worker that has a handler for them.
namespace baton::BATON_VARIANT::service {

/// All services of all workers that can start have started. Pushed once.
struct program_started {};

/// The program ends by `quit` or a signal. Pushed once in each worker, whose services stop when the
/// handlers have ended, those that are coroutines too, but after `options::ending_limit` at the
/// latest. The other workers do not wait for that. A mistake stops the services at once, without
/// this event.
struct program_ending {};

}  // namespace baton::BATON_VARIANT::service
