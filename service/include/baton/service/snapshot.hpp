// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/event.hpp>
#include <string>
#include <string_view>
#include <vector>

/// A worker and its services as plain data.
namespace baton::BATON_VARIANT::service {

/// The phases of a service's life.
enum class phase : uint8_t {
  fresh,     ///< added, and not looked at yet
  waiting,   ///< for what it requires, or to be enabled
  starting,  ///< constructed; its start is a coroutine that has not ended
  active,
  leaving,   ///< no longer provided; those that require it stop first
  stopping,  ///< its coroutines and its stop have not ended
  down,      ///< it failed
};

/// The providers that a dependency has.
enum class need : uint8_t {
  required,      ///< one, as long as the dependant lives
  optional,      ///< one at most
  many,          ///< any number
  current,       ///< one, which may be another one later
  at_least_one,  ///< any number but none
};

/// The name of the enumerator, as the source has it.
constexpr std::string_view name_of(phase p) noexcept {
  constexpr std::string_view names[] = {"fresh", "waiting", "starting", "active", "leaving", "stopping", "down"};
  return names[static_cast<uint8_t>(p)];
}
constexpr std::string_view name_of(need n) noexcept {
  constexpr std::string_view names[] = {"required", "optional", "many", "current", "at_least_one"};
  return names[static_cast<uint8_t>(n)];
}

/// An interface that a service asks for, and the services that provide it.
struct dependency_snapshot {
  std::string interface;
  need kind;
  std::vector<std::string> providers;
};

struct service_snapshot {
  std::string name;
  service_id id;
  service::phase phase;
  std::vector<std::string> interfaces;  ///< that it provides
  std::vector<dependency_snapshot> dependencies;
  std::vector<std::string> dependants;  ///< services that have it as a provider
  uint32_t coroutines = 0;              ///< that run for it, and have not ended
  int32_t rank = 0;                     ///< among the providers of its interfaces
  uint32_t starts = 0;                  ///< that succeeded
  uint32_t failures = 0;                ///< in starts and after them
  uint32_t restarts = 0;                ///< by its supervision
  std::string failure = {};             ///< the reason of the last one; empty without one
};

/// A worker at one moment.
struct worker_snapshot {
  std::string name;
  uint64_t waiting_events = 0;
  uint64_t handled_events = 0;
  uint64_t dropped_events = 0;             ///< by a full queue, or because the worker has ended
  std::vector<service_snapshot> services;  ///< in the order of their numbers

  /// The first service of this name; null if there is none.
  const service_snapshot* find(std::string_view service) const noexcept {
    for (const service_snapshot& s : services) {
      if (s.name == service) return &s;
    }
    return nullptr;
  }
};

}  // namespace baton::BATON_VARIANT::service
