// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/registry.hpp>
#include <string>
#include <vector>

/// What is wrong, for whom, and what to do about it, in words.
namespace baton::BATON_VARIANT::service::detail {

/// What was thrown, in its own words.
std::string what_of(const std::exception_ptr& thrown);

/// Why a service does not start: from it, by what each lacks, to what nobody provides, or round in a cycle.
struct lack {
  std::string path;
  std::string missing;  // an interface; empty in a cycle
  std::string of;       // who asks for it
  bool is_cycle = false;
};
lack lack_of(link_table& all, service_record& from);

/// All that is lacking, each once.
std::string all_lacks(link_table& all, const std::vector<service_record*>& services);

std::string two_providers(const link_table::ambiguity& a);
std::string failed(const service_record& e, const std::exception_ptr& why);
std::string stop_failed(const service_record& e, const std::exception_ptr& why);
std::string never_ended(const service_record& e, tick limit);
std::string shutdown_never_ended(const service_record* newest, const service_record* slow, tick limit);
std::string nothing_left(const std::string& worker);

}  // namespace baton::BATON_VARIANT::service::detail
