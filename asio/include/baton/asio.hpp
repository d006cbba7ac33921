// SPDX-License-Identifier: MIT
#pragma once

/// What Boost.Asio waits for, awaited by Baton's coroutines.
#include <baton/asio/poller.hpp>
#include <baton/asio/use_baton.hpp>
