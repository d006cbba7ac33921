// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <baton/service/dependency.hpp>
#include <cstddef>
#include <tuple>
#include <utility>

/// Finds out which parameters a constructor has, from the constructor alone.
///
/// An unevaluated expression calls the constructor with arguments that convert to every injected
/// type, one more at a time until the call fits. Each conversion defines a friend function, whose
/// return type notes the type that was asked for.
///
/// Source   A. Karpov, B. Fehr and A. Polukhin describe the note as "loophole"; CWG 2118 discusses
///          it. g++ and clang have it.
namespace baton::BATON_VARIANT::service {

class context;
template <typename I>
class on_worker;

namespace detail {

/// True for the types that a constructor may ask for before its own arguments.
template <typename T>
constexpr bool is_injected = false;
template <typename I, literal Name>
constexpr bool is_injected<required<I, Name>> = true;
template <typename I, literal Name>
constexpr bool is_injected<optional<I, Name>> = true;
template <typename I, literal Name>
constexpr bool is_injected<many<I, Name>> = true;
template <typename I, literal Name>
constexpr bool is_injected<current<I, Name>> = true;
template <typename I, literal Name>
constexpr bool is_injected<at_least_one<I, Name>> = true;
template <>
inline constexpr bool is_injected<context> = true;

template <typename T>
struct type_is {
  using type = T;
};

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wnon-template-friend"
/// The note for parameter `Index` of the constructor of `Service`.
template <typename Service, size_t Index>
struct note {
  friend auto noted(note<Service, Index>);
};
#pragma GCC diagnostic pop

template <typename Service, size_t Index, typename Parameter>
struct write_note {
  friend auto noted(note<Service, Index>) { return type_is<Parameter>(); }
  static constexpr size_t done = 1;
};

/// An argument that converts to any injected type, and notes the type.
template <typename Service, size_t Index>
struct injected_argument {
  template <typename Parameter, typename = std::enable_if_t<is_injected<Parameter>>,
            size_t = write_note<Service, Index, Parameter>::done>
  operator Parameter() const;  // NOLINT(google-explicit-constructor): the parameter says the type
};
/// An argument that converts to any injected type, without a note: for trying.
struct any_argument {
  template <typename Parameter, typename = std::enable_if_t<is_injected<Parameter>>>
  operator Parameter() const;  // NOLINT(google-explicit-constructor): the parameter says the type
};
template <size_t>
using any_argument_at = any_argument;

template <typename Service, typename Indices, typename... Arguments>
struct fits_with;
template <typename Service, size_t... Index, typename... Arguments>
    struct fits_with<Service, std::index_sequence<Index...>, Arguments...> : std::bool_constant < requires {
  Service(std::declval<any_argument_at<Index>>()..., std::declval<Arguments>()...);
} > {};

constexpr size_t most_injected = 16;
constexpr size_t none_fits = ~size_t{0};

/// The number of injected parameters, which come before arguments of these types, references
/// included; `none_fits` if there is no such constructor.
template <typename Service, size_t From, typename... Arguments>
constexpr size_t count_injected() {
  if constexpr (From > most_injected) {
    return none_fits;
  } else if constexpr (fits_with<Service, std::make_index_sequence<From>, Arguments...>::value) {
    return From;
  } else {
    return count_injected<Service, From + 1, Arguments...>();
  }
}

/// Writes the notes, by looking up the fitting constructor once more.
template <typename Service, typename Indices, typename... Arguments>
struct write_notes;
template <typename Service, size_t... Index, typename... Arguments>
struct write_notes<Service, std::index_sequence<Index...>, Arguments...> {
  static constexpr size_t size =
      sizeof(Service(std::declval<injected_argument<Service, Index>>()..., std::declval<Arguments>()...));
  static constexpr std::index_sequence<Index...> places{};
};

template <typename Service, size_t... Index>
auto read_notes(std::index_sequence<Index...>)
    -> type_is<std::tuple<typename decltype(noted(note<Service, Index>()))::type...>> {
  return {};
}

template <typename Service, typename... Arguments>
struct constructor {
  static constexpr size_t count = count_injected<Service, 0, Arguments...>();
  using places = std::make_index_sequence<count>;
};

/// The types of a constructor's injected parameters, as a tuple.
template <typename Service, typename... Arguments>
struct parameters_of {
  using constructor_type = constructor<Service, Arguments...>;
  using places = typename constructor_type::places;
  static constexpr size_t written = write_notes<Service, places, Arguments...>::size;
  template <size_t>
  static auto read() {
    return read_notes<Service>(places());
  }
  using type = typename decltype(read<written>())::type;
};

/// The dependency that a parameter stands for. A context is none.
template <typename Parameter>
struct parameter_need {
  static constexpr bool is_dependency = false;
  using interface = void;
};
template <need Kind, typename I, literal Name>
struct need_of {
  static constexpr bool is_dependency = true;
  static constexpr need kind = Kind;
  static constexpr auto name = Name;  // its text outlives the view
  static constexpr std::string_view named = name.view();
  using interface = I;
};
template <typename I, literal Name>
struct parameter_need<required<I, Name>> : need_of<need::required, I, Name> {};
template <typename I, literal Name>
struct parameter_need<optional<I, Name>> : need_of<need::optional, I, Name> {};
template <typename I, literal Name>
struct parameter_need<many<I, Name>> : need_of<need::many, I, Name> {};
template <typename I, literal Name>
struct parameter_need<current<I, Name>> : need_of<need::current, I, Name> {};
template <typename I, literal Name>
struct parameter_need<at_least_one<I, Name>> : need_of<need::at_least_one, I, Name> {};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::service
