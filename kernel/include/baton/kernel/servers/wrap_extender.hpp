// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/attributes.hpp>
#include <stdint.h>

namespace baton {
namespace kernel {

/// A count that wraps, made one that does not.
///
/// Units    the narrow count's.
/// Context  somebody must look at least once in the time that the narrow count takes to come round.
template <typename Narrow>
class wrap_extender {
 public:
  constexpr explicit wrap_extender(Narrow now = 0) : value_(now), last_(now) {}

  /// The wide count where the narrow one is `now`.
  uint64_t at(Narrow now) {
    value_ += static_cast<Narrow>(now - last_);
    last_ = now;
    return value_;
  }

 private:
  uint64_t value_;
  Narrow last_;
};

}  // namespace kernel
}  // namespace baton
