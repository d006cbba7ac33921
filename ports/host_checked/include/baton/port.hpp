// SPDX-License-Identifier: MIT
#pragma once

#include <baton/host/basic_port.hpp>

namespace baton {

struct job;
enum class transition : uint8_t;

/// Core's platform on Linux with checks that a release does not make.
///
/// Errors   BATON_REQUIRE used_from_foreign_domain: a primitive is touched by another thread than
///          the first that touched it. A service's worker that is called from another thread ends
///          the program (exit code 18).
struct port : host::basic_port {
  static constexpr bool checked = true;

  /// Remembers the thread of the first call.
  struct owner {
    bool is_local() const {
      if (!first) first = host::attention_word();
      return first == host::attention_word();
    }
    mutable const void* first = nullptr;
  };

  struct trace {
    static void on(transition, const job*, const void*) {}
  };
};

}  // namespace baton

/// The name of the port for BATON_VARIANT.
#define BATON_PORT_NAME host_checked
