// SPDX-License-Identifier: MIT
#pragma once

#include <baton/host/basic_port.hpp>

namespace baton {

struct job;
enum class transition : uint8_t;

/// Core's platform on Linux.
struct port : host::basic_port {
  static constexpr bool checked = false;

  struct owner {
    static constexpr bool is_local() { return true; }
  };

  struct trace {
    static void on(transition, const job*, const void*) {}
  };
};

}  // namespace baton

/// The name of the port for BATON_VARIANT.
#define BATON_PORT_NAME host
