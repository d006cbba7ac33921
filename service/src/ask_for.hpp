// SPDX-License-Identifier: MIT
#pragma once

#include <baton/service/thread_options.hpp>
#include <string>
#include <vector>

namespace baton::BATON_VARIANT::service::detail {

/// Asks the system for the options of this thread. Returns one line for each that it refuses.
std::vector<std::string> ask_for(const thread_options& o);

}  // namespace baton::BATON_VARIANT::service::detail
