// SPDX-License-Identifier: MIT
#pragma once

/// Sockets, serial lines, signals and pipes of Boost.Asio, awaited by Baton's coroutines.
#include <baton/asio/poller.hpp>
#include <baton/asio/use_baton.hpp>
