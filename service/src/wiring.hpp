// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/registry.hpp>
#include <vector>

#include "diagnosis.hpp"

namespace baton::BATON_VARIANT::service::detail {

bool has_interface(const service_record& e, interface_id of);

/// The services of a worker with the providers that suit their dependencies, found without starting
/// or linking anything.
///
/// Context  the worker's thread, also before that runs. It is of one moment: no service may be
///          added or taken out as long as it lives.
/// Cost     O(services + dependencies), and each filter is asked about each provider of its
///          interface.
class wiring final : public requirement_source {
 public:
  /// A dependency, and the services that could fill it, the best rank first.
  struct need_of {
    const dependency* what;
    std::vector<service_record*> suitors;
    bool is_made;  // a factory makes a provider, or one comes later
  };
  /// A service in its place by number. The places of numbers without a service have none. Behind
  /// them is a place for each maker, with a service as it would make one.
  struct node {
    service_record* service = nullptr;
    const service_record* maker = nullptr;  // of a service that is made
    std::vector<need_of> needs;
    size_t lacks = 0;  // requirements without a suitor that can start
    bool can_start() const noexcept { return lacks == 0 && may_serve(*service); }
  };

  /// The interfaces in `later` are taken as provided.
  explicit wiring(registry& of, const std::vector<interface_id>& later = {});

  const std::vector<node>& nodes() const noexcept { return nodes_; }
  const node& of(const service_record& e) const noexcept { return nodes_[e.id.number]; }

  const dependency* first_lack(const service_record& e) const override;
  service_record* provider_to_be(const service_record& requester, const dependency& d) const override;

 private:
  using providers = std::vector<std::vector<provided_interface*>>;

  void add(registry& from, service_record& e, const providers& all, const std::vector<interface_id>& later);
  void add_made(registry& from, const service_record& maker, const providers& all,
                const std::vector<interface_id>& later);
  void find_startable();
  bool is_filled(const need_of& n) const noexcept;

  std::vector<node> nodes_;
  std::vector<std::unique_ptr<service_record>> made_;
};

}  // namespace baton::BATON_VARIANT::service::detail
