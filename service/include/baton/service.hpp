// SPDX-License-Identifier: MIT
#pragma once

/// Services with injected dependencies, a lifecycle and typed events, on the loops of async. README.md of the module says where to begin.
#include <baton/service/application.hpp>
#include <baton/service/latency_histogram.hpp>
