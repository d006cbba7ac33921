// SPDX-License-Identifier: MIT
#pragma once

#include <caf/all.hpp>
#include <future>

// The peer's use of CAF.

using tick = caf::atom_constant<caf::atom("tick")>;
constexpr tick tick_v{};

/// The number of threads that run the actors. The thread of `main` waits meanwhile.
struct settings : caf::actor_system_config {
  explicit settings(unsigned threads) { set("scheduler.max-threads", threads); }
};

/// An actor's message to `main` at the end of its work.
using done = std::promise<void>;
