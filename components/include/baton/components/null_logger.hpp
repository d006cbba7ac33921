// SPDX-License-Identifier: MIT
#pragma once

#include <baton/components/logger.hpp>

namespace baton::BATON_VARIANT::components {

/// Writes nothing, whatever level it is set to.
class null_logger final : public logger {
 public:
  null_logger() noexcept : logger(level::off) {}
  /// As the others are made, so that `logger_factory<null_logger>` can take their place.
  explicit null_logger(const logger_settings&) noexcept : null_logger() {}

 private:
  void write(level, std::string_view) override {}
};

}  // namespace baton::BATON_VARIANT::components
