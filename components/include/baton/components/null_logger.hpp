// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/logger.hpp>

namespace baton::BATON_VARIANT::components {

/// Writes nothing, at any level.
class null_logger final : public logger {
 public:
  null_logger() noexcept : logger(level::off) {}
  /// Constructed as the other loggers are, so that `logger_factory<null_logger>` can replace
  /// theirs.
  explicit null_logger(const logger_settings&) noexcept : null_logger() {}

 private:
  void write(level, std::string_view, log_fields) override {}
};

}  // namespace baton::BATON_VARIANT::components
