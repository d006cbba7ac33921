// SPDX-License-Identifier: MIT
#pragma once

#include <baton/async/language.hpp>
#include <stdint.h>

/// Lists of records that may be in two lists at once.
namespace baton::BATON_VARIANT::async {
namespace detail {

/// A list of records.
template <typename Record>
struct record_list {
  Record* first;
  uint32_t size;
};

/// The place of a record in a list. `Record::place_in(list)` says which of its places it is.
template <typename Record>
struct record_place {
  void link(record_list<Record>& l, Record& r) noexcept {
    of = &l;
    next = l.first;
    if (next) (next->*Record::place_in(l)).by = &next;
    l.first = &r;
    by = &l.first;
    ++l.size;
  }
  void unlink() noexcept {
    if (!by) return;
    *by = next;
    if (next) (next->*Record::place_in(*of)).by = by;
    by = nullptr;
    --of->size;
  }

  record_list<Record>* of = nullptr;
  Record* next = nullptr;
  Record** by = nullptr;
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
