// SPDX-License-Identifier: MIT
#pragma once

#include <caf/all.hpp>
#include <future>

// How this peer uses CAF.

using tick = caf::atom_constant<caf::atom("tick")>;
constexpr tick tick_v{};

/// So many threads run the actors. That of `main` waits meanwhile.
struct settings : caf::actor_system_config {
  explicit settings(unsigned threads) { set("scheduler.max-threads", threads); }
};

/// What an actor tells `main` when it is done.
using done = std::promise<void>;
