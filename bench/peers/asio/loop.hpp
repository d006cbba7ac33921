// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio.hpp>
#include <boost/asio/experimental/channel.hpp>

// The peer's use of Asio.

namespace asio = boost::asio;
using boost::system::error_code;

// The executor's own type, instead of the type that can be any executor: no virtual call and no
// count of references.
using executor = asio::io_context::executor_type;
template <typename Value>
using awaitable = asio::awaitable<Value, executor>;
constexpr asio::use_awaitable_t<executor> use_awaitable;

template <typename... Values>
using channel =
    asio::experimental::basic_channel<executor, asio::experimental::channel_traits<>, void(error_code, Values...)>;
