// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/http_server.hpp>
#include <baton/service.hpp>
#include <functional>

namespace http_fuzz {

namespace service = baton::service;
namespace components = baton::components;

/// Runs a program with an HTTP server in a thread of its own, until this process ends.
///
/// Shape    `add` adds the services with its routes; it is called in that thread.
/// Returns  the port, once the server has started.
uint16_t serve(const components::http_limits& limits, std::function<void(service::application&)> add);

}  // namespace http_fuzz
