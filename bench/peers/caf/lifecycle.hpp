// SPDX-License-Identifier: MIT
#pragma once

#include "actors.hpp"

// Actors that are spawned and end: the case start_stop of the suite service.

using started = caf::atom_constant<caf::atom("started")>;

/// A provider and its dependant, each with a logger of its own that outlives them. Their supervisor
/// ends the dependant when it has started, then the provider, and spawns both again.
struct start_stop {
  start_stop(caf::actor_system& system, uint64_t cycles);
  static caf::behavior behavior(caf::event_based_actor* self, start_stop* work);
  /// The number of restarts; the first start does not count.
  uint64_t handled() const { return providers == dependants && ended == 2 * dependants ? dependants - 1 : 0; }

  uint64_t count;
  uint64_t providers = 0;
  uint64_t dependants = 0;
  uint64_t ended = 0;
  done over;
  caf::actor logger_of_provider, logger_of_dependant;
  caf::actor provider, dependant;
};
