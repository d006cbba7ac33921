// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/links.hpp>
#include <baton/service/work_list.hpp>

namespace baton::BATON_VARIANT::service::detail {

/// The interfaces of a worker, each with its providers, the slots that wait, and its factory.
class interface_table : public work_list {
 public:
  interface_row& row(interface_id of) {
    if (BATON_UNLIKELY(of >= rows_.size())) rows_.resize(size_t{of} + 8);
    return rows_[of];
  }

 protected:
  /// Asks the factories for the providers that a service lacks. Only after its first turn in the
  /// work list, so that providers that were added together with it are known.
  void ask_factories(service_record& e) {
    for (size_t i = 0; i != e.type->needs.size(); ++i) {
      slot& s = e.slots[i];
      const interface_row& w = row(s.what->of);
      if (!w.made_by || !s.waits || s.first || s.was_asked_for || w.installed != 0) continue;
      s.was_asked_for = true;
      w.made_by->make(e);
    }
  }
  /// Queues the services that wait for an interface, because a factory for it has come.
  void ask_for_waiting(interface_id of) {
    for (slot* s = row(of).waiting.first; s; s = s->next_waiting) queue(*s->owner);
  }

  /// The place of a service in the list of an interface; null if it is provided to one requester
  /// alone.
  static provided_interface* place_of(const service_record& e, interface_id of) {
    for (size_t i = 0; i != e.type->provides.size(); ++i) {
      if (e.type->provides[i].of == of && e.provided_interfaces[i].is_listed) return &e.provided_interfaces[i];
    }
    return nullptr;
  }

  static void* as(service_record& e, interface_id of) {
    for (const implemented_interface& i : e.type->provides) {
      if (i.of == of) return i.as(e.object);
    }
    return nullptr;
  }

  std::vector<interface_row> rows_;
};

}  // namespace baton::BATON_VARIANT::service::detail
