// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <baton/core/variant.hpp>
#include <baton/service/held.hpp>
#include <baton/service/properties.hpp>
#include <baton/service/snapshot.hpp>
#include <baton/service/type_ids.hpp>
#include <iterator>
#include <vector>

/// The dependencies of a service, as parameters of its constructor.
namespace baton::BATON_VARIANT::service {

namespace detail {

struct provided_interface;

/// A dependency of a service in the registry.
struct slot {
  service_record* owner = nullptr;
  const struct dependency* what = nullptr;
  link* first = nullptr;
  slot* next_waiting = nullptr;
  slot* before_waiting = nullptr;
  provided_interface* expects = nullptr;
  bool waits = false;          // in its interface's list of waiting slots, or in that of what it expects
  bool was_asked_for = false;  // a factory was asked for a provider
  link own;                    // the first link; only `many` has more, on the heap
};

/// A text as an argument of a template.
template <size_t Size>
struct literal {
  constexpr literal(const char (&from)[Size]) noexcept {  // NOLINT(google-explicit-constructor): stands for the text
    for (size_t i = 0; i != Size; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const noexcept { return {text, Size - 1}; }
  char text[Size]{};
};

template <typename>
inline constexpr bool is_never = false;

}  // namespace detail

/// A service that has to be there. The dependant lives from the provider's start until the provider
/// is about to stop. It keeps its provider: a better one that comes later is for the next start.
/// `required<I, "replica">` is a provider of that name.
///
/// Shape    a pointer, valid as long as the dependant.
template <typename Interface, detail::literal Name = "">
class required {
 public:
  explicit required(Interface& i) noexcept : of_(&i) {}
  Interface* operator->() const noexcept { return of_; }
  Interface& operator*() const noexcept { return *of_; }
  Interface& get() const noexcept { return *of_; }

 private:
  Interface* of_;
};

/// A service that may be absent, and may come, go and be replaced by one of a higher rank.
///
///     if (c) co_await c->look(3);            // `->` holds it to the end of the expression
///     if (auto held = c.hold()) { ... }      // held to the end of the block
///
/// Shape    a pointer to the registry's slot. A dependant that has `arrived(Interface&)` or
///          `gone(Interface&)` is called when the provider comes or goes; a successor arrives
///          before the one before it is gone.
/// Context  a provider that is held waits with its stop, within `options::step_limit`.
/// Errors   there is no bare reference to it, which an await could outlive: `*` does not compile.
template <typename Interface, detail::literal Name = "">
class optional {
 public:
  explicit optional(const detail::slot& s) noexcept : slot_(&s) {}
  explicit operator bool() const noexcept { return slot_->first != nullptr; }
  /// Keeps the provider from stopping while the result lives. Null if there is none at present.
  held<Interface> hold() const noexcept { return held<Interface>(slot_->first); }
  held<Interface> operator->() const noexcept { return hold(); }
  template <typename I = Interface>
  I& operator*() const noexcept {
    static_assert(detail::is_never<I>,
                  "a bare reference to an optional service may outlive it: auto c = name.hold(), and then *c");
  }

 private:
  const detail::slot* slot_;
};

/// A service that has to be there, and may be replaced while it is used. A provider of a higher
/// rank takes the place of the present one, and another active one takes the place of one that
/// goes; the dependant goes on. Without any it stops, as with `required`.
///
/// Shape    as `optional`, and never null while the dependant lives.
/// Context  `->` and `hold` keep the provider that they reached from stopping: a coroutine that is
///          inside the old one ends there, and its next `->` reaches the new one.
template <typename Interface, detail::literal Name = "">
class current {
 public:
  explicit current(const detail::slot& s) noexcept : slot_(&s) {}
  held<Interface> hold() const noexcept { return held<Interface>(slot_->first); }
  held<Interface> operator->() const noexcept { return hold(); }
  template <typename I = Interface>
  I& operator*() const noexcept {
    static_assert(detail::is_never<I>,
                  "a bare reference to a current service may outlive it: auto c = name.hold(), and then *c");
  }

 private:
  const detail::slot* slot_;
};

/// All active services that provide an interface, in no particular order. There may be none.
///
/// Context  an iterator is valid until the next await, which may add and take out services; `hold`
///          is for a loop that awaits.
template <typename Interface, detail::literal Name = "">
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
  /// All of them, kept from stopping.
  std::vector<held<Interface>> hold() const {
    std::vector<held<Interface>> all;
    for (const detail::link* l = slot_->first; l; l = l->next_of_slot) all.emplace_back(l);
    return all;
  }

 private:
  const detail::slot* slot_;
};

/// As `many`, of which one has to be there: the dependant waits for the first, and stops when the
/// last one goes.
template <typename Interface, detail::literal Name = "">
class at_least_one : public many<Interface, Name> {
 public:
  using many<Interface, Name>::many;
};

namespace detail {

/// True if a dependant waits for a provider and stops without one.
constexpr bool needs_one(need n) noexcept {
  return n == need::required || n == need::current || n == need::at_least_one;
}
/// True if the dependency has all providers.
constexpr bool takes_all(need n) noexcept {
  return n == need::many || n == need::at_least_one;
}
/// True if another provider may take the place of the present one while the dependant lives.
constexpr bool can_rebind(need n) noexcept {
  return n == need::optional || n == need::current;
}

/// A dependency in a constructor's list.
struct dependency {
  interface_id of;
  need kind;
  std::string_view name;
  std::string_view named;                          // the name that the provider has to have; empty: any
  void (*arrived)(void* service, void* provider);  // null: the service has no such member
  void (*gone)(void* service, void* provider);
};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
