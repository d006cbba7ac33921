// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async.hpp>
#include <baton/service/dependency.hpp>
#include <baton/service/event.hpp>
#include <baton/service/subscriber.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace baton::service {

/// How a service that failed is started again.
struct back_off {
  tick first = milliseconds(100);  ///< before the first restart; twice as long before each further one
  tick longest = seconds(30);
  uint32_t most = ~uint32_t{
      0};  ///< restarts in a row; then the failure stands. A service that ran for `longest` has none behind it
};

/// What becomes of a program when a service fails, and is not started again.
enum class after_failure : uint8_t {
  end_application,  ///< in order, with a message and an exit code
  stay_down,        ///< those that require it stop, or wait
};

namespace detail {

class registry;
class entry_memory;

/// Where the services of a registry lie.
entry_memory& memory_of(registry&) noexcept;

/// What a service provides, in the list of its interface: those that are active first.
struct provision {
  entry* of = nullptr;
  provision* next = nullptr;
  provision* before = nullptr;
  bool is_listed = false;
  bool is_active = false;
};

/// An interface that a type of service provides.
struct provided_interface {
  interface_id of;
  std::string_view name;
  void* (*as)(void* service) noexcept;
};

/// What the registry knows of a type of service. One constant a type and list of arguments.
struct service_type {
  std::string_view name;
  std::span<const dependency> needs;
  std::span<const provided_interface> provides;
  void (*construct)(entry&);  // throws what the constructor throws
  void (*destroy)(entry&) noexcept;
  void (*start)(entry&);  // null: there is none, or it is a coroutine
  void (*stop)(entry&);
  async::task<> (*start_task)(entry&);
  async::task<> (*stop_task)(entry&);
  void (*free)(entry&) noexcept;
};

enum class phase : uint8_t {
  fresh,     // added, and not looked at yet
  waiting,   // for what it requires, or to be wanted
  starting,  // constructed; its start is a coroutine that has not ended
  active,
  leaving,   // no longer provided; those that require it stop first
  stopping,  // its coroutines and its stop have not ended
  down,      // it failed
};

/// What few services have.
struct extras {
  std::string name;
  service::properties properties;
  std::vector<std::pair<interface_id, std::function<bool(const service::properties&)>>> filters;
  std::optional<async::scope> scope;  // of its coroutines
  std::optional<back_off> supervision;
  uint32_t restarts = 0;
  tick started_at = 0;
  async::manual_event changed;  // pulsed at each change of phase that somebody may wait for
  std::exception_ptr failure;
};

/// A service in the registry. The object itself lies behind it, from its construction to the end of its stop.
struct entry {
  entry(const service_type& t, registry& r) noexcept : type(&t), home(&r) {}
  entry(const entry&) = delete;

  extras& more() {
    if (!rare) rare = std::make_unique<extras>();
    return *rare;
  }
  std::string_view name() const noexcept {
    return rare && !rare->name.empty() ? std::string_view{rare->name} : type->name;
  }
  const service::properties& properties() const noexcept {
    static const service::properties none;
    return rare ? rare->properties : none;
  }
  bool is_constructed() const noexcept { return now >= phase::starting && now <= phase::stopping; }

  const service_type* type;
  registry* home;
  void* object = nullptr;
  slot* slots = nullptr;            // as many as type->needs
  provision* provisions = nullptr;  // as many as type->provides
  entry* next_work = nullptr;
  entry* older = nullptr;  // in the order of the starts
  entry* newer = nullptr;
  entry* slow_next = nullptr;  // whose start or stop has not ended
  entry* slow_before = nullptr;
  link* dependants = nullptr;
  subscriber* subscribers = nullptr;
  entry* requester = nullptr;  // provided to that one alone
  entry* next_scoped = nullptr;
  entry* scoped = nullptr;  // what was made for this one
  std::unique_ptr<extras> rare;
  tick slow_since = 0;
  uint32_t unsatisfied = 0;  // required ones that are not there
  uint32_t held = 0;         // dependants that have to stop first
  service_id id;
  phase now = phase::fresh;
  after_failure on_failure = after_failure::end_application;
  bool is_wanted = true;
  bool is_removed = false;
  bool has_failed = false;
  bool is_queued = false;
  bool is_slow = false;
  bool has_run = false;      // since its last start was begun
  bool is_in_order = false;  // it has started, and its object is still there
};

}  // namespace detail
}  // namespace baton::service
