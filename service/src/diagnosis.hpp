// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/registry.hpp>
#include <string>
#include <vector>

/// Messages about mistakes: the mistake, the service, and a remedy.
namespace baton::BATON_VARIANT::service::detail {

std::string in_quotes(std::string_view name);

/// The text of an exception.
std::string what_of(const std::exception_ptr& thrown);

/// The reason that a service does not start: the path from it, by the provider that each service
/// lacks, to an interface without a provider, or round a cycle.
struct lack {
  std::string path;
  std::string missing;  // an interface; empty in a cycle
  std::string named;    // the name that it has to have; empty: any
  std::string of;       // the service that requires it
  bool is_cycle = false;
  const service_record* last = nullptr;  // the service at the path's end that lacks nothing, and does not run
};

/// The way from a requirement to its provider.
struct requirement_source {
  virtual ~requirement_source() = default;
  /// The first requirement that the service lacks; null if it lacks none.
  virtual const dependency* first_lack(const service_record& of) const = 0;
  /// A service that would fill the dependency, and does not run itself; null if there is none.
  virtual service_record* provider_to_be(const service_record& requester, const dependency& d) const = 0;
};
/// The links of a running worker.
struct links_of final : requirement_source {
  explicit links_of(link_table& t) noexcept : all(t) {}
  const dependency* first_lack(const service_record& of) const override;
  service_record* provider_to_be(const service_record& requester, const dependency& d) const override;
  link_table& all;
};

lack lack_of(const requirement_source& all, service_record& from);
bool waits_for_failed(const lack& l);
/// True if a provider on another worker may still come.
bool waits_for_other_worker(const lack& l);
/// The limit is that of the wait for another worker.
std::string in_words(const lack& l, duration limit);

/// The lacks of all waiting services; each text appears once.
std::string all_lacks(const requirement_source& all, const std::vector<service_record*>& services, duration limit);

std::string two_providers(const ambiguity& a);
std::string failed(const service_record& e, const std::exception_ptr& why);
std::string restarts_in(const service_record& e, const std::exception_ptr& why, duration pause);
std::string stop_failed(const service_record& e, const std::exception_ptr& why);
std::string never_ended(const service_record& e, duration limit);
std::string held_too_long(const service_record& e, duration limit);
std::string shutdown_never_ended(const service_record* newest, const service_record* slow, duration limit);
std::string nothing_left(const std::string& worker);

}  // namespace baton::BATON_VARIANT::service::detail
