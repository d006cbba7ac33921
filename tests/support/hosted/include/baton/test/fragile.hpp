// SPDX-License-Identifier: MIT
#pragma once

#include <baton/test/check.hpp>

namespace baton {
namespace test {

/// The state that all copies of `fragile` share.
struct copies {
  int left = 0;     // the copy that counts to 0 throws; 0: none does
  int alive = 0;    // objects that live
  int corrupt = 0;  // objects that were used without having been constructed
};
inline copies& all_copies() {
  static copies all;
  return all;
}

/// A number whose copy throws when it is told to. Its moves do not throw; what is moved from holds
/// `none`. It notes where it was constructed, so that memory that never was is found.
class fragile {
 public:
  struct broken {};
  static constexpr int none = -1;

  fragile() : fragile(none) {}
  explicit fragile(int v) : self_(this), value_(v) { ++all_copies().alive; }
  fragile(const fragile& other) : self_(this), value_(other.copied()) { ++all_copies().alive; }
  fragile(fragile&& other) noexcept : self_(this), value_(other.moved()) { ++all_copies().alive; }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): it keeps its value
  fragile& operator=(const fragile& other) {
    value_ = other.copied();
    return check();
  }
  fragile& operator=(fragile&& other) noexcept {
    value_ = other.moved();
    return check();
  }
  ~fragile() {
    check();
    self_ = nullptr;
    --all_copies().alive;
  }

  int value() const { return value_; }

 private:
  int copied() const {
    copies& all = all_copies();
    if (self_ != this) ++all.corrupt;
    if (all.left != 0 && --all.left == 0) throw broken();
    return value_;
  }
  int moved() noexcept {
    const int v = check().value_;
    value_ = none;
    return v;
  }
  fragile& check() noexcept {
    if (self_ != this) ++all_copies().corrupt;
    return *this;
  }

  const fragile* self_;
  int value_;
};

}  // namespace test
}  // namespace baton
