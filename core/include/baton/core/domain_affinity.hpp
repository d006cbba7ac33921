// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core/require.hpp>

namespace baton {

/// Base of each primitive: a primitive belongs to one domain, and only code that runs there touches
/// it.
///
/// Shape    empty, unless the port checks.
/// Context  the domain of the first call is the owner.
/// Errors   BATON_REQUIRE used_from_foreign_domain where another domain calls, on ports that check
///          (ports/sim does).
struct domain_affinity : port::owner {
 protected:
  BATON_INLINE void check() const { BATON_REQUIRE(used_from_foreign_domain, this->is_local()); }
};

}  // namespace baton
