// SPDX-License-Identifier: MIT
#pragma once

/// All of core: the scheduler, coroutines, the primitives that they wait for, and the profiler.
/// Start reading at coroutine.hpp.
#include <baton/core/broadcast.hpp>
#include <baton/core/channel.hpp>
#include <baton/core/coroutine.hpp>
#include <baton/core/duration.hpp>
#include <baton/core/endpoint.hpp>
#include <baton/core/event_flags.hpp>
#include <baton/core/isr_channel.hpp>
#include <baton/core/isr_signal.hpp>
#include <baton/core/listed.hpp>
#include <baton/core/mutex.hpp>
#include <baton/core/periodic.hpp>
#include <baton/core/pipe.hpp>
#include <baton/core/print.hpp>
#include <baton/core/profiler.hpp>
#include <baton/core/profiler_output.hpp>
#include <baton/core/ring.hpp>
#include <baton/core/scheduler.hpp>
#include <baton/core/select.hpp>
#include <baton/core/semaphore.hpp>
#include <baton/core/signal.hpp>
#include <baton/core/watch.hpp>
