// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/service_record.hpp>

namespace baton::BATON_VARIANT::service::detail {

/// Services whose state has to be looked at, first in, first out.
class work_list {
 public:
  void queue(service_record& e) noexcept {
    if (e.is_queued) return;
    e.is_queued = true;
    e.next_work = nullptr;
    (last_ ? last_->next_work : first_) = &e;
    last_ = &e;
  }
  service_record* take() noexcept {
    service_record* const e = first_;
    if (!e) return nullptr;
    first_ = e->next_work;
    if (!first_) last_ = nullptr;
    e->is_queued = false;
    return e;
  }
  bool has_work() const noexcept { return first_ != nullptr; }

 private:
  service_record* first_ = nullptr;
  service_record* last_ = nullptr;
};

}  // namespace baton::BATON_VARIANT::service::detail
