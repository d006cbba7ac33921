// SPDX-License-Identifier: MIT
#pragma once

/// Services with injected dependencies, a lifecycle and typed events, on the loops of async. The
/// module's README.md says which header to read first.
#include <baton/service/application.hpp>
#include <baton/service/latency_histogram.hpp>
