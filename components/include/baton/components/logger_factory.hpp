// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/logger.hpp>
#include <baton/service/context.hpp>
#include <utility>
#include <variant>

namespace baton::BATON_VARIANT::components {

/// Makes a logger for each service that asks for one: with the service's name, and the level that
/// its property "log_level" names. A service without that property gets the level of the factory's
/// own property, or "info".
///
///     app.add<logger_factory<console_logger>>(stdout).with("log_level", "warning");
///     app.add<printer>().named("second floor").with("log_level", "debug");
///
/// Shape    a factory. `Implementation` is constructed with `logger_settings` and the arguments of
///          `add`.
/// Errors   an unknown level: the logger's start fails with a message that names the service and
///          the level.
template <typename Implementation>
class logger_factory {
 public:
  template <typename... Arguments>
  explicit logger_factory(service::context here, const Arguments&... arguments)
      : makes_(here.make_for_each<logger>([here, arguments...](const service::request& r) {
          const service::property fallback = level_in(here.properties(), std::string("info"));
          r.make<Implementation, logger>(
              logger_settings{std::string(r.name()), text_of(level_in(r.properties(), fallback))}, arguments...);
        })) {}

 private:
  static service::property level_in(const service::properties& all, service::property otherwise) {
    for (const service::properties::one& p : all) {
      if (p.name == "log_level") return p.value;
    }
    return otherwise;
  }
  /// A number or a truth value is turned into text, which the logger refuses by name.
  static std::string text_of(const service::property& p) {
    return std::visit(
        [](const auto& v) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, std::string>) {
            return v;
          } else {
            return std::to_string(v);
          }
        },
        p);
  }

  service::factory makes_;
};

}  // namespace baton::BATON_VARIANT::components
