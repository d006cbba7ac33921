// SPDX-License-Identifier: MIT
#pragma once

#include <baton/asio/poller.hpp>
#include <baton/core/status.hpp>
#include <boost/system/error_code.hpp>
#include <string>
#include <type_traits>

/// A status as an error code: `error == baton::status::timed_out`.
namespace baton::BATON_VARIANT::asio::BATON_POLLER {
namespace detail {

struct status_category final : boost::system::error_category {
  status_category() = default;
  virtual ~status_category() = default;

  const char* name() const noexcept override { return "baton"; }

  std::string message(int code) const override {
    switch (static_cast<status>(code)) {
      case status::ok:
        return "success";
      case status::timed_out:
        return "the deadline passed";
      case status::cancelled:
        return "the wait was cancelled";
      case status::closed:
        return "the object is closed";
      default:
        return "status " + std::to_string(code);
    }
  }

  boost::system::error_condition default_error_condition(int code) const noexcept override {
    namespace errc = boost::system::errc;
    switch (static_cast<status>(code)) {
      case status::timed_out:
        return errc::make_error_condition(errc::timed_out);
      case status::cancelled:
        return errc::make_error_condition(errc::operation_canceled);
      default:
        return boost::system::error_condition(code, *this);
    }
  }
};

inline const boost::system::error_category& category() {
  static const status_category instance;
  return instance;
}

}  // namespace detail
}  // namespace baton::BATON_VARIANT::asio::BATON_POLLER

namespace baton::BATON_VARIANT {

inline boost::system::error_code make_error_code(status s) {
  return boost::system::error_code(static_cast<int>(s), asio::detail::category());
}

}  // namespace baton::BATON_VARIANT

template <>
struct boost::system::is_error_code_enum<baton::status> : std::true_type {};
