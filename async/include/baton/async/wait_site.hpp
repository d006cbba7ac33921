// SPDX-License-Identifier: MIT
#pragma once

#include <baton/core.hpp>

namespace baton::BATON_VARIANT::async {
namespace detail {

struct wait_site {};

}  // namespace detail
}  // namespace baton::BATON_VARIANT::async
