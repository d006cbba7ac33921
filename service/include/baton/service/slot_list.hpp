// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/dependency.hpp>

namespace baton::BATON_VARIANT::service::detail {

/// Slots that wait for a provider, first in, first out.
struct slot_list {
  void push(slot& s) noexcept {
    s.before_waiting = last;
    s.next_waiting = nullptr;
    (last ? last->next_waiting : first) = &s;
    last = &s;
  }
  void take_out(slot& s) noexcept {
    (s.before_waiting ? s.before_waiting->next_waiting : first) = s.next_waiting;
    (s.next_waiting ? s.next_waiting->before_waiting : last) = s.before_waiting;
  }

  slot* first = nullptr;
  slot* last = nullptr;
};

}  // namespace baton::BATON_VARIANT::service::detail
