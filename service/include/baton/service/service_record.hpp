// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/essentials.hpp>
#include <baton/service/dependency.hpp>
#include <baton/service/event.hpp>
#include <baton/service/slot_list.hpp>
#include <baton/service/subscriber.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace baton::BATON_VARIANT::service {

/// The pauses after which a failed service is started again.
struct back_off {
  duration first = 100_ms;  ///< before the first restart; it doubles at each further one
  duration longest = 30_s;
  uint32_t most = ~uint32_t{
      0};  ///< restarts in a row; then the failure stands. A service that ran for `longest` has none behind it
};

/// The consequence for a program when a service fails and is not started again.
enum class after_failure : uint8_t {
  end_application,  ///< in order, with a message and an exit code
  stay_down,        ///< the services that require it stop, or wait
};

namespace detail {

class registry;
class service_memory;

/// The memory that the services of a registry lie in.
service_memory& memory_of(registry&) noexcept;

/// An interface that a service provides, in the list of the interface. Active providers come first.
struct provided_interface {
  service_record* of = nullptr;
  provided_interface* next = nullptr;
  provided_interface* before = nullptr;
  int32_t rank = 0;  // the highest is chosen first
  bool is_listed = false;
  bool is_active = false;
  slot_list expecting;  // the waiting slots that it suits, as the only one that was found
};

/// An interface that a type of service provides.
struct implemented_interface {
  interface_id of;
  std::string_view name;
  void* (*as)(void* service) noexcept;
};

/// The constants of a type of service. There is one such object per type and list of arguments.
struct service_type {
  std::string_view name;
  std::span<const dependency> needs;
  std::span<const implemented_interface> provides;
  void (*construct)(service_record&);  // passes the constructor's exceptions on
  void (*destroy)(service_record&) noexcept;
  void (*start)(service_record&);  // null: there is no start(), or it is a coroutine
  void (*stop)(service_record&);
  async::task<> (*start_task)(service_record&);
  async::task<> (*stop_task)(service_record&);
  void (*free)(service_record&) noexcept;
  const service_type& (*makes)();  // of the services that it makes; null: it is no maker
};
/// The type of the services that a maker makes; null for any other service.
template <typename Service>
inline constexpr const service_type& (*type_made_by)() = nullptr;

/// The fields that few services need.
struct optional_fields {
  optional_fields();
  ~optional_fields();

  std::string name;
  service::properties properties;
  std::vector<std::pair<interface_id, std::function<bool(const service::properties&)>>> filters;
  std::optional<async::scope> scope;  // the service's coroutines
  std::optional<back_off> supervision;
  uint32_t restarts = 0;        // in a row
  uint32_t failures = 0;        // of all its starts, and after them
  uint32_t all_restarts = 0;    // by its supervision
  uint32_t back_off_count = 0;  // numbers the pauses before a restart
  tick started_at = 0;
  async::manual_event cut_short;  // pulsed when a start by hand ends the pause before a restart
  async::manual_event changed;    // pulsed at each change of phase that a coroutine may wait for
  std::exception_ptr failure;
};

/// A service in the registry. The object lies behind it, from its construction to the end of its
/// stop.
struct service_record {
  service_record(const service_type& t, registry& r) noexcept : type(&t), owning_registry(&r) {}
  service_record(const service_record&) = delete;

  optional_fields& more();
  std::string_view name() const noexcept {
    return rare && !rare->name.empty() ? std::string_view{rare->name} : type->name;
  }
  const service::properties& properties() const noexcept {
    static const service::properties none;
    return rare ? rare->properties : none;
  }
  int32_t rank() const noexcept { return provided_interfaces->rank; }
  bool is_constructed() const noexcept { return state >= phase::starting && state <= phase::stopping; }

  const service_type* type;
  registry* owning_registry;
  void* object = nullptr;
  slot* slots = nullptr;                              // as many as type->needs
  provided_interface* provided_interfaces = nullptr;  // as many as type->provides
  service_record* next_work = nullptr;
  service_record* older = nullptr;  // in the order of the starts
  service_record* newer = nullptr;
  service_record* slow_next = nullptr;  // in the list of slow services: starts and stops that have not ended
  service_record* slow_before = nullptr;
  link* dependants = nullptr;
  hold_record* holds = nullptr;  // an object that is held does not stop
  subscriber* subscribers = nullptr;
  service_record* requester = nullptr;  // the only service that this one is provided to, or null
  service_record* next_scoped = nullptr;
  service_record* scoped = nullptr;  // the services that factories made for this one
  std::unique_ptr<optional_fields> rare;
  tick slow_since = 0;
  uint32_t unsatisfied = 0;  // required slots without a provider
  uint32_t held = 0;         // dependants that have to stop first
  service_id id;
  phase state = phase::fresh;
  after_failure on_failure = after_failure::end_application;
  bool is_enabled = true;
  bool is_removed = false;
  bool has_failed = false;
  bool is_queued = false;
  bool is_slow = false;
  bool has_run = false;         // its last start() has returned or ended
  bool is_in_order = false;     // in the order of the starts: it has started, and its object lives
  bool is_late = false;         // added after the worker began to run
  bool is_installed = false;    // its interfaces are listed, and its dependencies looked up
  bool is_stand_in = false;     // for the providers of an interface on another worker
  bool is_backing_off = false;  // it failed, and starts again after a pause
  uint32_t starts = 0;          // that succeeded
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
