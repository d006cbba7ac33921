// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/json_names.hpp>
#include <baton/components/json_real.hpp>

namespace baton::BATON_VARIANT::components::detail {

class json_struct_reader;

/// A member of a struct without the struct's type.
struct json_member {
  std::string_view name;
  const char* (*read)(json_struct_reader&, const char*, void*);
  void (*clear)(void*);  // null: the member has to be in the text
};
/// The members of a struct, and their numbers in the order of their names.
struct json_members {
  static constexpr size_t none = ~size_t{0};

  /// Finds a member by its name.
  /// Cost     one comparison for the one that is expected, else O(log count).
  size_t find(std::string_view name, size_t expected) const noexcept {
    if (expected != count && all[expected].name == name) return expected;
    size_t from = 0, to = count;
    while (from != to) {
      const size_t middle = from + (to - from) / 2;
      if (all[by_name[middle]].name < name) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from != count && all[by_name[from]].name == name ? by_name[from] : none;
  }

  const json_member* all;
  const uint16_t* by_name;
  size_t count;
};

/// The members that a text has had so far.
struct json_seen {
  bool has(size_t i) const noexcept { return words[i / 64] >> (i % 64) & 1; }
  void add(size_t i) noexcept { words[i / 64] |= uint64_t{1} << (i % 64); }

  uint64_t* words;
};

/// A place in an object.
struct json_place {
  enum places : uint8_t { begin, key, value_end };
  const char* p;
  places where;
  size_t refused;  ///< the member that did not fit and ends here; `json_members::none`
};

/// The first member, in the order of the fields, that does not fit, and the reason.
struct json_first_fault {
  void note(size_t i, json_error& e) noexcept {
    if (i < at) {
      at = i;
      error = std::move(e);
    }
    e = {};
  }

  size_t at = json_members::none;
  json_error error = {};
};

}  // namespace baton::BATON_VARIANT::components::detail
