// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/variant.hpp>
#include <baton/service/properties.hpp>
#include <baton/service/snapshot.hpp>
#include <baton/service/type_ids.hpp>
#include <iterator>

/// The dependencies of a service, as parameters of its constructor.
namespace baton::BATON_VARIANT::service {

namespace detail {

struct service_record;
struct slot;

/// A provider that fills a dependency. It is in the slot's list and in the provider's.
struct link {
  service_record* provider = nullptr;
  slot* to = nullptr;
  void* object = nullptr;  // the provider's object, cast to the interface
  link* next_of_provider = nullptr;
  link* before_of_provider = nullptr;
  link* next_of_slot = nullptr;
  link* before_of_slot = nullptr;
  bool is_held = false;  // the provider leaves, and waits for this dependant, which requires it, to stop
};

/// A dependency of a service in the registry.
struct slot {
  service_record* owner = nullptr;
  const struct dependency* what = nullptr;
  link* first = nullptr;
  slot* next_waiting = nullptr;
  slot* before_waiting = nullptr;
  bool waits = false;          // in its interface's list of waiting slots
  bool was_asked_for = false;  // a factory was asked for a provider
  link own;                    // the first link; only `many` has more, on the heap
};

}  // namespace detail

/// A service that has to be there. The dependant lives from the provider's start until the provider
/// is about to stop.
///
/// Shape    a pointer, valid as long as the dependant.
template <typename Interface>
class required {
 public:
  explicit required(Interface& i) noexcept : of_(&i) {}
  Interface* operator->() const noexcept { return of_; }
  Interface& operator*() const noexcept { return *of_; }
  Interface& get() const noexcept { return *of_; }

 private:
  Interface* of_;
};

/// A service that may be absent, and may come and go: look at each use.
///
/// Shape    a pointer to the registry's slot. A dependant that has `arrived(Interface&)` or
///          `gone(Interface&)` is called when the provider comes or goes.
template <typename Interface>
class optional {
 public:
  explicit optional(const detail::slot& s) noexcept : slot_(&s) {}
  explicit operator bool() const noexcept { return slot_->first != nullptr; }
  /// The provider; null if there is none at present.
  Interface* get() const noexcept { return slot_->first ? static_cast<Interface*>(slot_->first->object) : nullptr; }
  Interface* operator->() const noexcept { return get(); }
  Interface& operator*() const noexcept { return *get(); }

 private:
  const detail::slot* slot_;
};

/// All active services that provide an interface, in no particular order. There may be none.
template <typename Interface>
class many {
 public:
  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Interface;
    using difference_type = std::ptrdiff_t;
    using pointer = Interface*;
    using reference = Interface&;

    iterator() noexcept = default;
    explicit iterator(const detail::link* l) noexcept : at_(l) {}
    Interface& operator*() const noexcept { return *static_cast<Interface*>(at_->object); }
    Interface* operator->() const noexcept { return static_cast<Interface*>(at_->object); }
    iterator& operator++() noexcept {
      at_ = at_->next_of_slot;
      return *this;
    }
    iterator operator++(int) noexcept {
      const iterator before = *this;
      at_ = at_->next_of_slot;
      return before;
    }
    friend bool operator==(iterator, iterator) noexcept = default;

   private:
    const detail::link* at_ = nullptr;
  };

  explicit many(const detail::slot& s) noexcept : slot_(&s) {}
  iterator begin() const noexcept { return iterator(slot_->first); }
  iterator end() const noexcept { return iterator(); }
  bool empty() const noexcept { return !slot_->first; }

 private:
  const detail::slot* slot_;
};

namespace detail {

/// A dependency in a constructor's list.
struct dependency {
  interface_id of;
  need kind;
  std::string_view name;
  void (*arrived)(void* service, void* provider);  // null: the service has no such member
  void (*gone)(void* service, void* provider);
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
